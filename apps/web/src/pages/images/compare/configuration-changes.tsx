/** What differs between the configurations of two images. */
import type { ImageComparison } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { Panel } from '../../../kit/layout/panel.tsx';
import { type Column, defineColumns } from '../../../kit/table/columns.tsx';
import { DataTable } from '../../../kit/table/data-table.tsx';
import table from '../../../kit/table/table.module.css';
import { commandLine } from '../detail/image-config.tsx';
import images from '../images.module.css';
import classes from './compare.module.css';

type Configuration = ImageComparison['configuration'];

export function ConfigurationChanges({ comparison }: { comparison: ImageComparison }) {
  const t = useMessages('comparison');
  const rows = rowsOf(comparison.configuration);
  const columns = useColumns();
  return (
    <Panel title={t.configuration} empty={rows.length === 0 && t.noConfiguration}>
      <DataTable rows={rows} columns={columns} keyOf={({ field, name }) => `${field} ${name}`} />
    </Panel>
  );
}

const useColumns = defineColumns('comparison', (t): Column<Row>[] => [
  {
    id: 'field',
    title: t.field,
    cell: ({ field, name }) => (
      <>
        <strong>{name ?? t.fields[field]}</strong>
        {name !== null && <span className={table.under}>{t.fields[field]}</span>}
      </>
    ),
  },
  valueColumn('from', t.before, t.none),
  valueColumn('to', t.after, t.none),
]);

function valueColumn(id: 'from' | 'to', title: string, none: string): Column<Row> {
  return {
    id,
    title,
    label: title,
    className: classes.value,
    cell: ({ [id]: value }) =>
      value === null ? (
        <span className={images.none}>{none}</span>
      ) : (
        <code className={images.code}>{value}</code>
      ),
  };
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
