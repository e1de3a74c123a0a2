/** The tokens of an account or a robot, with what can be done with each and with several. */
import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { PersonalToken } from '@portcullis/contract';
import { IconKeyOff } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { ListView } from '../list/list-view.tsx';
import { useWholeList, type WholeList } from '../list/use-whole-list.ts';
import { entryKey, entryName } from '../selection/entry.ts';
import type { Column } from '../table/columns.tsx';
import { SelectionBar } from '../table/selection-bar.tsx';
import table from '../table/table.module.css';
import { Badge } from '../verdict/badge.tsx';
import { type Revocation, RevokeDialog } from './revoke-dialog.tsx';
import { useScopeWords } from './scope-words.ts';
import classes from './token-table.module.css';
import { usedColumn } from './used-column.tsx';

const TOKENS: WholeList<PersonalToken> = {
  keyOf: entryKey,
  nameOf: entryName,
  values: {
    name: entryName,
    created_at: ({ created_at }) => created_at,
    expires_at: ({ expires_at }) => expires_at,
    last_used_at: ({ last_used_at }) => last_used_at,
  },
  first: '-created_at',
  parameter: 'tokens',
};

interface TokenTableProps {
  tokens: UseQueryResult<PersonalToken[]>;
  /** Absent where the caller may not change them. */
  revocation?: Revocation;
  onRotate?(token: PersonalToken): void;
  /** In place of no tokens. */
  empty: ReactNode;
}

export function TokenTable({ tokens, revocation, onRotate, empty }: TokenTableProps) {
  const t = useMessages('account');
  const list = useWholeList(tokens, TOKENS);
  const [doomed, setDoomed] = useState<readonly PersonalToken[]>([]);
  const [asking, { open, close }] = useDisclosure();
  const ask = (chosen: readonly PersonalToken[]) => {
    setDoomed(chosen);
    open();
  };
  return (
    <ListView
      panel
      list={list}
      columns={useColumns({ ...(revocation && { onRevoke: (token) => ask([token]) }), onRotate })}
      selects={revocation !== undefined}
      rowHeight={47}
      empty={empty}
    >
      {({ table: { rows, selection } }) =>
        revocation && (
          <>
            {selection.ids.length > 0 && (
              <SelectionBar
                selection={selection}
                // The list is loaded whole.
                total={null}
                buttons={[
                  {
                    label: t.revoke,
                    icon: IconKeyOff,
                    danger: true,
                    run: () => ask(rows.filter(({ id }) => selection.has(id))),
                  },
                ]}
              />
            )}
            <RevokeDialog
              {...revocation}
              opened={asking}
              tokens={doomed}
              onClose={close}
              onDone={() => {
                selection.clear();
                close();
              }}
            />
          </>
        )
      }
    </ListView>
  );
}

interface TokenActs {
  onRevoke?(token: PersonalToken): void;
  onRotate?: ((token: PersonalToken) => void) | undefined;
}

function useColumns(acts: TokenActs): Column<PersonalToken>[] {
  const t = useMessages('account');
  const scopes = useMessages('tokenScope');
  const words = useScopeWords();
  return [
    {
      title: t.name,
      sort: 'name',
      cell: ({ name, hint }) => (
        <>
          <strong>{name}</strong>
          <span className={table.under}>
            <code>{hint}</code>
          </span>
        </>
      ),
    },
    { id: 'scope', title: t.scope, label: t.scope, cell: ({ scope }) => words(scope) },
    {
      title: t.expires,
      sort: 'expires_at',
      label: t.expires,
      className: `${table.quiet} ${table.nowrap}`,
      cell: (token) => <Expiry token={token} />,
    },
    usedColumn(scopes),
    {
      id: 'acts',
      title: null,
      className: classes.buttons,
      cell: (token) => <TokenButtons token={token} {...acts} />,
    },
  ];
}

function hasExpired({ expires_at: at }: PersonalToken): boolean {
  return Date.parse(at) < Date.now();
}

function Expiry({ token }: { token: PersonalToken }) {
  const [t, format] = useWords('account');
  if (hasExpired(token)) return <Badge tone="unknown">{t.expired}</Badge>;
  return format.date(token.expires_at);
}

function TokenButtons({ token, onRevoke, onRotate }: TokenActs & { token: PersonalToken }) {
  const t = useMessages('account');
  const scopes = useMessages('tokenScope');
  const acts = [
    {
      run: hasExpired(token) ? undefined : onRotate,
      text: scopes.rotate,
      named: scopes.rotateNamed,
    },
    { run: onRevoke, text: t.revoke, named: t.revokeNamed },
  ];
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {acts.map(
        ({ run, text, named }) =>
          run && (
            <Button
              key={text}
              variant="default"
              size="xs"
              onClick={() => run(token)}
              aria-label={named(token.name)}
            >
              {text}
            </Button>
          ),
      )}
    </Group>
  );
}
