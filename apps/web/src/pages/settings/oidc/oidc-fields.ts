import type { OidcSettings } from '@portcullis/contract';

/** Props of each part of the form. */
export interface OidcFields {
  value: OidcSettings;
  set(change: Partial<OidcSettings>): void;
  faults: Readonly<Record<string, string>>;
}
