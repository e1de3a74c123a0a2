export interface Settings {
  find(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  all(): Promise<Record<string, unknown>>;
}
