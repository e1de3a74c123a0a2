/** Whether an error is the operating system's, with one of these codes (`ENOENT`, `EXDEV`, …). */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
