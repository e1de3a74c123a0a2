/** What a refusal of a mail server is about: the message, one recipient, or the connection. */

/** RFC 4954 § 6: a fault of the account, which an operator can fix. */
const ABOUT_THE_LOGIN = new Set([530, 534, 535, 538]);

/** RFC 5321 § 4.2.1: 5yz is final, except about the login. */
function isFinalCode(code: unknown): boolean {
  return typeof code === 'number' && code >= 500 && !ABOUT_THE_LOGIN.has(code);
}

function property(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

/** nodemailer compares the size with the server's limit (RFC 1870) before it sends anything. */
function isTooLarge(error: unknown): boolean {
  return property(error, 'code') === 'EMESSAGE' && property(error, 'responseCode') === undefined;
}

/**
 * To the sender, to each recipient, or to the message. nodemailer reports the 4yz where one
 * recipient got that. Faults of the greeting, TLS or login don't concern the message.
 */
export function isFinal(error: unknown): boolean {
  const code = property(error, 'code');
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false;
  return isTooLarge(error) || isFinalCode(property(error, 'responseCode'));
}

/** RFC 1870 § 6.1: a message that is larger than the server accepts. */
const TOO_LARGE = 552;

/** Whether a smaller message, or one to fewer recipients, may be accepted. */
export function isAboutMessage(error: unknown): boolean {
  const isMessage = property(error, 'code') === 'EMESSAGE';
  const isSize = property(error, 'responseCode') === TOO_LARGE;
  return isFinal(error) && (isMessage || (isSize && property(error, 'command') === 'MAIL FROM'));
}

/** Of the recipients that the server refused, by address: whether for good. */
export function refusedRecipients(about: unknown): Map<string, boolean> {
  const errors = property(about, 'rejectedErrors');
  const accepted = property(about, 'accepted');
  const isOneOfMany = Array.isArray(accepted) && accepted.length > 0;
  const refused = new Map<string, boolean>();
  for (const error of Array.isArray(errors) ? errors : []) {
    const recipient = property(error, 'recipient');
    const isFinalHere =
      isFinalCode(property(error, 'responseCode')) && !(isOneOfMany && isTooMany(error));
    if (typeof recipient === 'string') refused.set(recipient, isFinalHere);
  }
  return refused;
}

/**
 * RFC 5321 § 4.5.3.1.10: a 552 to a recipient after others may mean that there are too many of
 * them, and is no final answer. With 5.2.z (RFC 3463) it is about the mailbox.
 */
function isTooMany(error: unknown): boolean {
  const response = property(error, 'response');
  const isAboutMailbox = typeof response === 'string' && /^552[ -]5\.2\./.test(response);
  return property(error, 'responseCode') === TOO_LARGE && !isAboutMailbox;
}
