/** The packages of an image, in the order of the API; only visible rows of a long list exist. */
import { Anchor } from '@mantine/core';
import type { ImageDetail, ImagePackage } from '@portcullis/contract';
import { useMemo } from 'react';
import { type Format, useFormat } from '../../../i18n/format.ts';
import { type Messages, useMessages } from '../../../i18n/messages.ts';
import type { Column, Sorting } from '../../../kit/table/columns.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
import table from '../../../kit/table/table.module.css';
import classes from '../images.module.css';
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

function useColumns(layers: ImageDetail['layers']): Column<ImagePackage>[] {
  const t = useMessages('imagePackages');
  const format = useFormat();
  return useMemo(() => {
    const numbers = new Map(layers.map(({ digest }, at) => [digest, at + 1]));
    return [...columnsOf(t), layerColumn(t, format, numbers)];
  }, [t, format, layers]);
}

/** Versions of different packages have no order. */
function columnsOf(t: Messages['imagePackages']): Column<ImagePackage>[] {
  return [
    {
      id: 'name',
      title: t.package,
      sort: 'name',
      cell: ({ name, path, type }) => (
        <>
          <strong className={classes.packageName}>{name}</strong>
          <span className={table.under}>{path ?? type}</span>
        </>
      ),
    },
    {
      id: 'version',
      title: t.version,
      label: t.version,
      className: classes.packageName,
      width: '26%',
      cell: ({ version }) => version,
    },
    {
      id: 'licenses',
      title: t.licenses,
      sort: 'licenses',
      className: table.quiet,
      width: '24%',
      cell: ({ licenses }) => licenses.join(', '),
    },
  ];
}

/** @param numbers of the layers, from 1, by digest */
function layerColumn(
  t: Messages['imagePackages'],
  format: Format,
  numbers: ReadonlyMap<string, number>,
): Column<ImagePackage> {
  return {
    id: 'layer',
    title: t.layer,
    sort: 'layer',
    className: table.nowrap,
    width: '100px',
    cell({ layer }) {
      const number = numbers.get(layer);
      if (number === undefined) return null;
      return <LayerLink digest={layer} name={t.layerNumber(format.number(number))} />;
    },
  };
}

function LayerLink({ digest, name }: { digest: string; name: string }) {
  const { open } = useShownPart();
  return (
    <Anchor component="button" type="button" size="sm" onClick={() => open('details', digest)}>
      {name}
    </Anchor>
  );
}
