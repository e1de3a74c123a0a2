/** All policies: what each blocks, and where it decides. */
import { Text } from '@mantine/core';
import type { Policy } from '@portcullis/contract';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { type Column, defineColumns, RowName } from '../../../kit/table/columns.tsx';
import { DataTable } from '../../../kit/table/data-table.tsx';
import table from '../../../kit/table/table.module.css';
import classes from './policies.module.css';
import { useRuleSentence } from './rule-sentence.ts';

const MOST_RULES = 3;

export function PolicyTable({ policies }: { policies: readonly Policy[] }) {
  return <DataTable rows={policies} columns={useColumns()} keyOf={({ id }) => id ?? 'default'} />;
}

const useColumns = defineColumns('policies', (t): Column<Policy>[] => [
  { id: 'policy', title: t.policy, cell: (policy) => <PolicyName policy={policy} /> },
  { id: 'rules', title: t.rules, cell: (policy) => <RuleSentences terms={policy} /> },
  {
    id: 'usedBy',
    title: t.usedBy,
    className: table.quiet,
    cell: (policy) => <UsedBy policy={policy} />,
  },
]);

function PolicyName({ policy: { id, name, version } }: { policy: Policy }) {
  const [t, format] = useWords('policies');
  if (id === null)
    return (
      <RowName to="/settings/scan" under={t.defaultHint}>
        {t.default}
      </RowName>
    );
  return (
    <RowName
      to={`/settings/policies/${id}`}
      under={version !== null && t.version(format.number(version))}
    >
      {name}
    </RowName>
  );
}

export function RuleSentences({ terms }: { terms: Pick<Policy, 'rules' | 'min_age_hours'> }) {
  const { rules, min_age_hours: hours } = terms;
  const t = useMessages('policies');
  const sentence = useRuleSentence();
  if (rules.length === 0 && hours === 0) return t.noRules;
  const sentences = [...new Set(rules.slice(0, MOST_RULES).map(sentence))];
  return (
    <ul className={classes.sentences}>
      {sentences.map((text) => (
        <li key={text}>{text}</li>
      ))}
      {rules.length === 0 && <li>{t.noRules}</li>}
      {hours > 0 && <li>{t.waits(hours)}</li>}
      {rules.length > MOST_RULES && (
        <Text component="li" size="sm" c="dimmed">
          {t.moreRules(rules.length - MOST_RULES)}
        </Text>
      )}
    </ul>
  );
}

function UsedBy({ policy: { id, used_by: used } }: { policy: Policy }) {
  const [t, format] = useWords('policies');
  if (id === null) return t.everywhereElse;
  if (used.folders.length + used.registries.length === 0) return t.unused;
  return (
    <>
      {used.folders.length > 0 && <div>{t.folders(format.list(used.folders))}</div>}
      {used.registries.length > 0 && (
        <div>{t.registries(format.list(used.registries.map(({ name }) => name)))}</div>
      )}
    </>
  );
}
