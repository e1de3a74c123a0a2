/** The step of a Dockerfile that made a layer, as the history of an image has it. */

/** Without the shell prefix that every Dockerfile step has. */
export function readableStep(command: string): string {
  return command
    .replace(/^\/bin\/sh -c #\(nop\)\s+/, '')
    .replace(/^(?:RUN )?\/bin\/sh -c /, 'RUN ')
    .replace(/ # buildkit$/, '');
}
