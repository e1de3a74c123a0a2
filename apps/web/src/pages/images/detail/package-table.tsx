/** The packages of an image, in the order of the API; only visible rows of a long list exist. */
import { Anchor } from '@mantine/core';
import type { ImageDetail, ImagePackage } from '@portcullis/contract';
import { type Column, defineColumns, type Sorting } from '../../../kit/table/columns.tsx';
import { DataTable } from '../../../kit/table/data-table.tsx';
import table from '../../../kit/table/table.module.css';
import { useShownPart } from './shown-part.ts';

interface PackageTableProps {
  packages: ImagePackage[];
  layers: ImageDetail['layers'];
  sorting: Sorting;
}

const ROW_HEIGHT = 58;

const packageKey = ({ type, name, version, path }: ImagePackage): string =>
  JSON.stringify([type, name, version, path]);

export function PackageTable({ packages, layers, sorting }: PackageTableProps) {
  return (
    <DataTable
      rows={packages}
      columns={useColumns(layers)}
      keyOf={packageKey}
      sorting={sorting}
      rowHeight={ROW_HEIGHT}
      inner
    />
  );
}

/** Versions of different packages have no order. */
const useColumns = defineColumns(
  'imagePackages',
  (t, format, layers: ImageDetail['layers']): Column<ImagePackage>[] => {
    const numbers = new Map(layers.map(({ digest }, at) => [digest, at + 1]));
    return [
      {
        title: t.package,
        sort: 'name',
        cell: ({ name, path, type }) => (
          <>
            <strong className={table.wrap}>{name}</strong>
            <span className={table.under}>{path ?? type}</span>
          </>
        ),
      },
      {
        id: 'version',
        title: t.version,
        label: t.version,
        className: table.wrap,
        width: '26%',
        cell: ({ version }) => version,
      },
      {
        title: t.licenses,
        sort: 'licenses',
        className: table.quiet,
        width: '24%',
        cell: ({ licenses }) => licenses.join(', '),
      },
      {
        title: t.layer,
        sort: 'layer',
        className: table.nowrap,
        width: '100px',
        cell({ layer }) {
          const number = numbers.get(layer);
          if (number === undefined) return null;
          return <LayerLink digest={layer} name={t.layerNumber(format.number(number))} />;
        },
      },
    ];
  },
);

function LayerLink({ digest, name }: { digest: string; name: string }) {
  const { open } = useShownPart();
  return (
    <Anchor component="button" type="button" size="sm" onClick={() => open('details', digest)}>
      {name}
    </Anchor>
  );
}
