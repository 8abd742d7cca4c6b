/** Whether an IPv4 address is in a range such as `10.0.0.0/8`, or is the address itself. */
export function inCidr(cidr: string, ip: string): boolean {
  const [base = "", bits] = cidr.split("/");
  if (bits === undefined) return base === ip;
  const size = 2 ** (32 - Number(bits));
  return Math.floor(numeric(base) / size) === Math.floor(numeric(ip) / size);
}

function numeric(ip: string): number {
  return ip.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}
