/** A failure with a message for people, which needs no stack. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
