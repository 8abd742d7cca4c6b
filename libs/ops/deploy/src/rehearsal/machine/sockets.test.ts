import { expect, test } from "vitest";
import { parseSockets } from "./sockets.ts";

test("listeners and connections are read from the kernel's tables, mapped IPv4 addresses too", () => {
  const text = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 034D12C6:2327 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4635853 1 0 100
   1: 034D12C6:2327 010012C6:EDDC 06 00000000:00000000 03:0000176E 00000000     0        0 0 3 0
  sl  local_address                         remote_address                        st tx_queue
   0: 0000000000000000FFFF0000034D12C6:A000 0000000000000000FFFF0000024D12C6:107E 01 00000000:00000000 00:00 0
`;
  expect(parseSockets(text)).toEqual({
    listening: [{ ip: "198.18.77.3", port: 8999 }],
    connections: [
      { local: { ip: "198.18.77.3", port: 8999 }, remote: { ip: "198.18.0.1", port: 60_892 } },
      { local: { ip: "198.18.77.3", port: 40_960 }, remote: { ip: "198.18.77.2", port: 4222 } },
    ],
  });
});
