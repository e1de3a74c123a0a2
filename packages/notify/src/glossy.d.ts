/** Types for glossy 0.1.7, which has none, as far as we use it. */
declare module 'glossy' {
  export interface ProducerOptions {
    type: 'RFC5424' | 'RFC3164';
  }
  export interface ProducedMessage {
    facility: string;
    severity: string;
    date: Date;
    host: string;
    appName: string;
    pid: string;
    msgID?: string;
    structuredData?: Record<string, Record<string, string>>;
    message: string;
  }
  export class Produce {
    constructor(options: ProducerOptions);
    /** False for an unknown facility or severity. */
    produce(message: ProducedMessage): string | false;
  }
  /** Used by tests. */
  export const Parse: {
    parse(line: string, callback: (parsed: Record<string, unknown>) => void): void;
  };
}
