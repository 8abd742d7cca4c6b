/**
 * A certificate that was valid until 5 June 2025, and its key, in one file. It was made for this fault and protects nothing. To make
 * another one: `openssl ca -selfsign -startdate 20240605000000Z -enddate 20250605000000Z`.
 */
export const expiredPem = `-----BEGIN CERTIFICATE-----
MIIBMDCB2AIBATAKBggqhkjOPQQDAjAlMREwDwYDVQQKDAhwbGF0Zm9ybTEQMA4G
A1UEAwwHbW9uZ29kYjAeFw0yNDA2MDUwMDAwMDBaFw0yNTA2MDUwMDAwMDBaMCUx
ETAPBgNVBAoMCHBsYXRmb3JtMRAwDgYDVQQDDAdtb25nb2RiMFkwEwYHKoZIzj0C
AQYIKoZIzj0DAQcDQgAEeE/37DKvEOreg4tlIzx2D+bVXzmGGV5F4T9dd/OqJ5Wz
mTEkBtPILrh8ml18ls2mItOeFkx4bqP5/BxVoeNWjzAKBggqhkjOPQQDAgNHADBE
AiApgz8uU9DImZETBwo0dmhroidI8BkShfmyLfUrvG/F/QIgDwgTIiKI2M7rgOTp
XUfx1afa/Vo9IbqLhlJrJHELnUY=
-----END CERTIFICATE-----
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgegvfvgUk1AO+Nebn
U5PPtFa/5vjGZplNKyz6nvIxrxChRANCAAR4T/fsMq8Q6t6Di2UjPHYP5tVfOYYZ
XkXhP11386onlbOZMSQG08guuHyaXXyWzaYi054WTHhuo/n8HFWh41aP
-----END PRIVATE KEY-----
`;
