export interface Page<T> {
  items: T[];
  /** Opaque; null on the last page. */
  nextCursor: string | null;
  total: number;
}

export interface PageOptions {
  /** Default 50, at most 200. */
  limit?: number | undefined;
  cursor?: string | null | undefined;
}
