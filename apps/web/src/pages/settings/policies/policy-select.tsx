/** Chooses the policy of a folder or of a registry: a named one, or the default policy. */
import { Select } from '@mantine/core';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';

const DEFAULT = 'default';

function useNamedPolicies() {
  const { data = [] } = useAnswer('policies.listPolicies');
  return data.flatMap(({ id, name }) => (id === null ? [] : [{ value: id, label: name }]));
}

/** The name of a policy; null for the default one, and until the list is loaded. */
export function usePolicyName(): (id: string | null) => string | null {
  const named = useNamedPolicies();
  return (id) => named.find(({ value }) => value === id)?.label ?? null;
}

interface PolicySelectProps {
  label: string;
  description: string;
  value: string | null;
  onChange(id: string | null): void;
  error?: string | undefined;
}

export function PolicySelect({ value, onChange, ...select }: PolicySelectProps) {
  const t = useMessages('policies');
  return (
    <Select
      {...select}
      data={[{ value: DEFAULT, label: t.default }, ...useNamedPolicies()]}
      value={value ?? DEFAULT}
      onChange={(chosen) => onChange(chosen === DEFAULT ? null : chosen)}
      allowDeselect={false}
    />
  );
}
