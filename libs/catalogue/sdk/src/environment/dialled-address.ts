/** Where a program connects to. */
export interface DialledAddress {
  readonly host: string;
  /** NaN: nothing says which. */
  readonly port: number;
}

const scheme = /^(?:jdbc:)?[a-z][a-z0-9+.-]*:\/\//i;

/**
 * The host and port in an address as configurations write it: `cart:80`, `http://cart/api`, `redis:6379,password=...`,
 * `jdbc:mysql://user:secret@db:3306/shop`, `user:secret@tcp(db:3306)/shop`. Of several the first. `usual`: an address with the
 * port that is meant where none is written.
 */
export function dialledAddress(given: string, usual = ""): DialledAddress {
  const [first = ""] = given
    .trim()
    .replace(scheme, "")
    .split(/[,;/?\s]/);
  const own = first.slice(first.lastIndexOf("@") + 1).replace(/^\w+\(|\)$/g, "");
  const colon = own.lastIndexOf(":");
  const port = colon < 0 ? usual.slice(usual.lastIndexOf(":") + 1) : own.slice(colon + 1);
  return { host: colon < 0 ? own : own.slice(0, colon), port: port === "" ? Number.NaN : Number(port) };
}
