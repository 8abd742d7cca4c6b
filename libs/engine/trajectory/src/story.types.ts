import type { Table } from "@microremed/scoring";

/** A part of a chapter. */
export type Block =
  | { readonly kind: "text"; readonly caption: string; readonly text: string }
  | { readonly kind: "code"; readonly caption: string; readonly text: string }
  | { readonly kind: "diff"; readonly caption: string; readonly text: string }
  | { readonly kind: "table"; readonly caption: string; readonly table: Table };

export interface Chapter {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** All that is known of one episode, in the order in which it happened. */
export interface Story {
  readonly title: string;
  /** Name and value. */
  readonly summary: Table;
  readonly chapters: readonly Chapter[];
}
