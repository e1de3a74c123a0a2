import type { OidcSettings } from '@portcullis/contract';

/** What each part of the form is given. */
export interface OidcFields {
  value: OidcSettings;
  set(change: Partial<OidcSettings>): void;
  faults: Readonly<Record<string, string>>;
}
