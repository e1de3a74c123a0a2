/** What differs between the configurations of two images. */
import { Text } from '@mantine/core';
import type { ImageComparison } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { Panel } from '../../../kit/layout/panel.tsx';
import table from '../../../kit/table/table.module.css';
import { commandLine } from '../detail/image-config.tsx';
import images from '../images.module.css';
import classes from './compare.module.css';

type Configuration = ImageComparison['configuration'];

export function ConfigurationChanges({ comparison }: { comparison: ImageComparison }) {
  const t = useMessages('comparison');
  const rows = rowsOf(comparison.configuration);
  return (
    <Panel title={t.configuration}>
      {rows.length === 0 ? (
        <Text c="dimmed">{t.noConfiguration}</Text>
      ) : (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t.field}</th>
              <th scope="col">{t.before}</th>
              <th scope="col">{t.after}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ field, name, from, to }) => (
              <tr key={`${field} ${name}`}>
                <td>
                  <strong>{name ?? t.fields[field]}</strong>
                  {name !== null && <span className={table.under}>{t.fields[field]}</span>}
                </td>
                <Value label={t.before} value={from} />
                <Value label={t.after} value={to} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Value({ label, value }: { label: string; value: string | null }) {
  const t = useMessages('comparison');
  return (
    <td className={classes.value} data-label={label}>
      {value === null ? (
        <span className={images.none}>{t.none}</span>
      ) : (
        <code className={images.code}>{value}</code>
      )}
    </td>
  );
}

type Row = Omit<Configuration['values'][number], 'field'> & {
  field: (Configuration['values'] | Configuration['commands'])[number]['field'];
};

function rowsOf({ values, commands }: Configuration): Row[] {
  const text = (words: string[]) => (words.length === 0 ? null : commandLine(words));
  const lines = commands.map(({ field, from, to }) => ({
    field,
    name: null,
    from: text(from),
    to: text(to),
  }));
  return [...lines, ...values];
}
