/** The policies that a folder or a registry may name, as the choices of a select. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';

const DEFAULT = 'default';

export function usePolicyChoices() {
  const t = useMessages('policies');
  const { data = [] } = useQuery(ask('policies.listPolicies'));
  const named = data.flatMap(({ id, name }) => (id === null ? [] : [{ value: id, label: name }]));
  return {
    choices: [{ value: DEFAULT, label: t.default }, ...named],
    /** The name of the chosen policy; null for the default one, and until the list is loaded. */
    nameOf: (id: string | null) => named.find(({ value }) => value === id)?.label ?? null,
    chosenOf: (id: string | null) => id ?? DEFAULT,
    idOf: (value: string | null) => (value === DEFAULT ? null : value),
  };
}
