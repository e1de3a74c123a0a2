/** The `portcullis` command: what an operator does beside the running product. */
export {};
