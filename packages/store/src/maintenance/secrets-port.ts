export interface Resealed {
  done: number;
  /** No available key opens them. */
  unreadable: number;
}

export interface Reseals {
  /** Id of the key to seal all secrets with; those already sealed with it stay. */
  keyId: string;
  /** @throws AppError where it cannot be opened */
  reseal(sealed: string): string;
  onProgress?: ((progress: Resealed) => void) | undefined;
}

export interface Secrets {
  /** Number of sealed texts by key id. */
  keyIds(): Promise<Record<string, number>>;
  /** Can be interrupted at any point and run again. */
  reseal(options: Reseals): Promise<Resealed>;
}
