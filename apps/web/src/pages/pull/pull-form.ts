/** The state of the pull form and the request made of it. */
import type { Severity } from '@portcullis/domain';
import type { RequestFor } from '../../api/client.ts';
import { destinationFields, NO_DESTINATION } from './destination-choice.ts';
import { readReference } from './reference.ts';
import { type ReferrerWord, referrerChoice } from './referrer-words.ts';

export const SOURCES = ['hub', 'saved', 'host'] as const;
type SourceKind = (typeof SOURCES)[number];
type ScanChoice = 'policy' | 'severities' | 'none';

export interface PullForm {
  source: SourceKind;
  image: string;
  tag: string;
  registryId: string | null;
  host: string;
  username: string;
  password: string;
  useTls: boolean;
  tlsVerify: boolean;
  /** Empty: all platforms. */
  platforms: string[];
  referrers: ReferrerWord;
  /** Null: the last one of the account. */
  destination: string | null;
  scan: ScanChoice;
  severities: Severity[];
}

export const EMPTY_FORM: PullForm = {
  source: 'hub',
  image: '',
  tag: '',
  registryId: null,
  host: '',
  username: '',
  password: '',
  useTls: true,
  tlsVerify: true,
  platforms: [],
  referrers: 'optional',
  destination: null,
  scan: 'policy',
  severities: ['CRITICAL', 'HIGH'],
};

/** Splits a full reference in the image field into host, image and tag. */
export function splitReference(form: PullForm): PullForm {
  const { host, image, tag } = readReference(form.image);
  if (host === null) return { ...form, image, tag: tag ?? form.tag };
  return { ...form, source: 'host', host, image, tag: tag ?? form.tag };
}

/** On blur only the tag is split off: a host would add fields and move the layout. */
export function splitTag(form: PullForm): PullForm {
  return readReference(form.image).host === null ? splitReference(form) : form;
}

export function isComplete({ source, image, tag, registryId, host }: PullForm): boolean {
  const placed =
    source === 'hub' || (source === 'saved' ? registryId !== null : host.trim() !== '');
  return placed && image.trim() !== '' && tag.trim() !== '';
}

/** @param last the destination that is proposed */
export function pullBody(
  form: PullForm,
  last = NO_DESTINATION,
): RequestFor<'staging.pull'>['body'] {
  return {
    image: form.image.trim(),
    tag: form.tag.trim(),
    ...(form.source === 'saved' && { source_registry_id: form.registryId }),
    ...(form.source === 'host' && hostFields(form)),
    ...(form.platforms.length > 0 && { platforms: form.platforms }),
    ...(form.referrers !== 'optional' && { include_referrers: referrerChoice(form.referrers) }),
    ...destinationFields(form.destination ?? last),
    ...(form.scan === 'none' && { vuln_scan_enabled_override: false }),
    ...(form.scan === 'severities' && { vuln_severities_override: form.severities }),
  };
}

/** The fields of a registry that is not saved. */
export function hostFields({ host, username, password, useTls, tlsVerify }: PullForm) {
  return {
    source_registry_host: host.trim(),
    ...(username !== '' && {
      source_registry_username: username,
      source_registry_password: password,
    }),
    // Left out by default: the server then also tries loopback hosts without TLS.
    ...(!useTls && { source_registry_use_tls: false }),
    ...(!tlsVerify && { source_registry_tls_verify: false }),
  };
}
