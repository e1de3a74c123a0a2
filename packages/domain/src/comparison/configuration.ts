/** What differs between the configurations of two images. */
export interface ComparableConfiguration {
  /** `NAME=value` each. */
  env: readonly string[];
  labels: Readonly<Record<string, string>>;
  exposedPorts: readonly string[];
  entrypoint: readonly string[];
  cmd: readonly string[];
  user: string | null;
  workingDir: string | null;
}

export const CONFIGURATION_VALUES = [
  'env',
  'label',
  'exposed_port',
  'user',
  'working_dir',
] as const;
export const CONFIGURATION_COMMANDS = ['entrypoint', 'cmd'] as const;

/** Null where the image does not have it. */
interface ChangedValue {
  field: (typeof CONFIGURATION_VALUES)[number];
  /** Of the variable, label or port; null for fields that exist once. */
  name: string | null;
  from: string | null;
  to: string | null;
}

interface ChangedCommand {
  field: (typeof CONFIGURATION_COMMANDS)[number];
  from: readonly string[];
  to: readonly string[];
}

export interface ConfigurationComparison {
  values: ChangedValue[];
  commands: ChangedCommand[];
}

export function compareConfigurations(
  from: ComparableConfiguration,
  to: ComparableConfiguration,
): ConfigurationComparison {
  return {
    values: [
      ...changedEntries('env', variablesOf(from), variablesOf(to)),
      ...changedEntries('label', labelsOf(from), labelsOf(to)),
      ...changedEntries('exposed_port', portsOf(from), portsOf(to)),
      ...changedSingle('user', from.user, to.user),
      ...changedSingle('working_dir', from.workingDir, to.workingDir),
    ],
    commands: [
      ...changedCommand('entrypoint', from.entrypoint, to.entrypoint),
      ...changedCommand('cmd', from.cmd, to.cmd),
    ],
  };
}

type Entries = ReadonlyMap<string, string>;

function changedEntries(field: ChangedValue['field'], from: Entries, to: Entries): ChangedValue[] {
  const names = [...new Set([...from.keys(), ...to.keys()])].sort();
  return names
    .map((name) => ({ field, name, from: from.get(name) ?? null, to: to.get(name) ?? null }))
    .filter((each) => each.from !== each.to);
}

function changedSingle(
  field: ChangedValue['field'],
  from: string | null,
  to: string | null,
): ChangedValue[] {
  return from === to ? [] : [{ field, name: null, from, to }];
}

function changedCommand(
  field: ChangedCommand['field'],
  from: readonly string[],
  to: readonly string[],
): ChangedCommand[] {
  const isSame = from.length === to.length && from.every((each, at) => each === to[at]);
  return isSame ? [] : [{ field, from, to }];
}

/** Of a variable that is set twice, the last one applies. */
function variablesOf({ env }: ComparableConfiguration): Entries {
  return new Map(
    env.map((each) => {
      const end = each.indexOf('=');
      return end < 0 ? [each, ''] : [each.slice(0, end), each.slice(end + 1)];
    }),
  );
}

function labelsOf({ labels }: ComparableConfiguration): Entries {
  return new Map(Object.entries(labels));
}

function portsOf({ exposedPorts }: ComparableConfiguration): Entries {
  return new Map(exposedPorts.map((port) => [port, port]));
}
