/** The fields that a section requires before it may be enabled. */
import { type FieldFault, fieldFault } from '@portcullis/contract';
import type {
  EmailSettings,
  NetworkSection,
  NetworkSettings,
  SyslogSettings,
} from '@portcullis/domain';
import { fieldsInvalid } from '../../http/problem.ts';

/** @throws invalid naming every field that is missing */
export function assertWhole<S extends NetworkSection>(
  section: S,
  settings: NetworkSettings[S],
): void {
  const faults = FAULTS[section](settings);
  if (faults.length > 0) throw fieldsInvalid(faults);
}

const FAULTS: { [S in NetworkSection]: (settings: NetworkSettings[S]) => FieldFault[] } = {
  proxy: () => [],
  syslog: syslogFaults,
  email: emailFaults,
};

function syslogFaults(settings: SyslogSettings): FieldFault[] {
  const { syslog_enabled, syslog_host, syslog_tls_client_cert, syslog_tls_client_key } = settings;
  const half = (syslog_tls_client_cert === null) !== (syslog_tls_client_key === null);
  return [
    ...missing(syslog_enabled && syslog_host === null, 'syslog_host'),
    ...missing(half && syslog_tls_client_cert === null, 'syslog_tls_client_cert'),
    ...missing(half && syslog_tls_client_key === null, 'syslog_tls_client_key'),
    ...missing(lacksIdentity(settings), 'syslog_auth_username'),
  ];
}

function lacksIdentity(settings: SyslogSettings): boolean {
  const { syslog_auth_enabled, syslog_auth_username, syslog_tls_client_cert, syslog_protocol } =
    settings;
  const certificate = syslog_protocol === 'tcp+tls' && syslog_tls_client_cert !== null;
  return syslog_auth_enabled && syslog_auth_username === null && !certificate;
}

function emailFaults({ enabled, host, from_address, to_addresses }: EmailSettings): FieldFault[] {
  return [
    ...missing(enabled && host === null, 'host'),
    ...missing(enabled && from_address === null, 'from_address'),
    ...missing(enabled && to_addresses.length === 0, 'to_addresses'),
  ];
}

function missing(isMissing: boolean, path: string): FieldFault[] {
  return isMissing
    ? [fieldFault(path, 'REQUIRED', 'This field is required to enable the section.')]
    : [];
}
