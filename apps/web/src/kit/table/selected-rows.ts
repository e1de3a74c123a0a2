/** The selected rows of a list, and what changes them. */
export interface SelectedRows {
  /** Loaded rows that are selected, in the order of the list. */
  ids: readonly string[];
  /** How many loaded rows may be selected. */
  loaded: number;
  /** Also the rows that are not loaded. */
  everything: boolean;
  /** Of a loaded row. */
  has(id: string): boolean;
  toggle(id: string, range: boolean): void;
  toggleAll(): void;
  selectEverything(): void;
  clear(): void;
}
