/** Deliveries by e-mail and to a syslog collector. */
export const delivery = {
  /** Why the server did not get a message, by code. */
  faults: {
    CONNECTION_REFUSED: 'The server refused the connection. Check the host and the port.',
    CONNECTION_RESET: 'The server reset the connection.',
    HOST_UNKNOWN: 'The host name does not exist.',
    HOST_LOOKUP_FAILED: 'The host name could not be resolved at the moment.',
    HOST_UNREACHABLE: 'The host cannot be reached.',
    NETWORK_UNREACHABLE: 'The network of the host cannot be reached.',
    CONNECTION_TIMEOUT: 'The server did not respond in time.',
    CERTIFICATE_EXPIRED: 'The certificate of the server has expired.',
    CERTIFICATE_NAME_DIFFERS: 'The certificate of the server is for another host name.',
    CERTIFICATE_UNTRUSTED: 'The certificate of the server is not from a trusted authority.',
    TLS_FAILED: 'The server does not use TLS, or no version that is supported here.',
    STARTTLS_UNSUPPORTED: 'The server does not offer STARTTLS, which is required by the settings.',
    COLLECTOR_SILENT: 'The collector did not accept the messages in time.',
    COLLECTOR_CLOSED: 'The collector closed the connection before it had received everything.',
    CONNECTION_CLOSED: 'The connection was closed before everything was sent.',
    DELIVERY_ABORTED: 'The delivery was cancelled.',
    DELIVERY_FAILED: 'The delivery failed.',
    MAIL_REFUSED: 'The mail server refused the message.',
  },
  fileUnreadable: (setting: string) =>
    `The file at “${setting}” cannot be read, or is not in PEM format.`,
  answer: 'Reply of the mail server:',
};
