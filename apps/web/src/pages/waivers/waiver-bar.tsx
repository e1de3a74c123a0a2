/** The reviews of the selected waivers: each begins after a delay for undo. */
import type { Waiver } from '@portcullis/contract';
import { IconCheck, IconShieldOff, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { useNothingToDo, useRowActs } from '../../kit/action/row-acts.ts';
import { AskedModal } from '../../kit/form/asked-close.tsx';
import type { SelectableList } from '../../kit/list/list.ts';
import { EntryBar } from '../../kit/selection/entry-bar.tsx';
import { useAccount } from '../../session/account.ts';
import { type Ending, EndingForm, rejection, revocation } from './ending-form.tsx';
import { mayDo, WAIVER_ACTS, type WaiverAct } from './reviewer.ts';

const ICONS = { approve: IconCheck, reject: IconX, revoke: IconShieldOff };

/** Also the dialog that asks for a reason, which the end of the selection leaves open. */
export function WaiverBar({ list }: { list: SelectableList<Waiver> }) {
  const t = useMessages('waivers');
  const account = useAccount();
  const approve = useApproval();
  const sayNothing = useNothingToDo();
  const [ended, setEnded] = useState<Ended | null>(null);

  function run(act: WaiverAct, found: readonly Waiver[]): void {
    const ids = found.map(list.table.keyOf);
    if (act === 'approve') approve(ids);
    else if (ids.length === 0) sayNothing();
    else setEnded({ ending: act, ids });
  }

  return (
    <>
      <EntryBar<Waiver>
        list={list}
        acts={WAIVER_ACTS.map((act) => ({
          label: t[act],
          icon: ICONS[act],
          danger: act !== 'approve',
          appliesTo: (waiver) => mayDo(act, waiver, account),
          run: (found) => run(act, found),
        }))}
      />
      {ended && <EndingDialog {...ended} onClose={() => setEnded(null)} />}
    </>
  );
}

function useApproval(): (ids: readonly string[]) => void {
  const t = useMessages('waivers');
  const act = useRowActs();
  return (ids) =>
    act({
      name: 'waivers.approve',
      requests: ids.map((id) => ({ params: { id } })),
      changes: 'waivers.list',
      message: t.pending.approve(ids.length),
    });
}

interface Ended {
  ending: Ending;
  ids: readonly string[];
}

function EndingDialog({ ending, ids, onClose }: Ended & { onClose(): void }) {
  const t = useMessages('waivers');
  const act = useRowActs();
  function end(reason: string): void {
    const rest = { changes: 'waivers.list', message: t.pending[ending](ids.length) } as const;
    if (ending === 'reject')
      act({ name: 'waivers.reject', requests: ids.map((id) => rejection(id, reason)), ...rest });
    else
      act({ name: 'waivers.revoke', requests: ids.map((id) => revocation(id, reason)), ...rest });
    onClose();
  }
  return (
    <AskedModal opened onClose={onClose} title={t.endSeveral[ending](ids.length)}>
      {(close) => <EndingForm ending={ending} verb={t[ending]} onEnd={end} onClose={close} />}
    </AskedModal>
  );
}
