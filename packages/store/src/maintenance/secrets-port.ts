export interface Resealed {
  done: number;
  /** No key that is at hand opens them. */
  unreadable: number;
}

export interface Reseals {
  /** Of the key that all shall be sealed with; what already is stays. */
  keyId: string;
  /** @throws AppError where it can't be opened */
  reseal(sealed: string): string;
  onProgress?: ((told: Resealed) => void) | undefined;
}

export interface Secrets {
  /** How many texts are sealed with which key. */
  keyIds(): Promise<Record<string, number>>;
  /** May break off anywhere, and be begun again. */
  reseal(options: Reseals): Promise<Resealed>;
}
