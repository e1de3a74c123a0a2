/** The action for selected tokens. */
import { IconKeyOff } from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.ts';
import type { SelectedRows } from '../table/selected-rows.ts';
import { SelectionBar } from '../table/selection-bar.tsx';

interface TokenBarProps {
  selection: SelectedRows;
  onRevoke(): void;
}

export function TokenBar({ selection, onRevoke }: TokenBarProps) {
  const t = useMessages('account');
  return (
    <SelectionBar
      selection={selection}
      // The list is loaded whole.
      total={null}
      buttons={[{ label: t.revoke, icon: IconKeyOff, danger: true, run: onRevoke }]}
    />
  );
}
