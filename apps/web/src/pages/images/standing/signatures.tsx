/** What a policy asks of the signatures of an image: who signed, and why the others don't count. */
import { List, Text } from '@mantine/core';
import type { ExplainedImage } from '@portcullis/contract';
import { useCallback } from 'react';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { Dimmed } from '../../../kit/text/dimmed.tsx';

type Decision = Pick<
  ExplainedImage,
  'signatures' | 'unread_signatures' | 'hidden_signatures' | 'signature_waiver'
> &
  Partial<Pick<ExplainedImage, 'signatures_fault'>>;
type Requirement = Decision['signatures'][number];
type Answer = Requirement['answers'][number];

export function Signatures({ decision }: { decision: Decision }) {
  const [t, format] = useWords('signed');
  const { signatures, unread_signatures: unread, hidden_signatures: isHidden } = decision;
  const { signature_waiver: waiver, signatures_fault: fault } = decision;
  if (signatures.length === 0) return null;
  const notes = [
    unread > 0 && t.unread(unread),
    isHidden && t.hidden,
    fault && t.fault(fault.message ?? t.elsewhere, fault.code),
    fault?.next_try_at && t.nextTry(format.dateTime(fault.next_try_at)),
    waiver && t.waived(format.dateTime(waiver.until)),
  ].filter(Boolean);
  return (
    <div>
      <Text fw={550}>{t.title}</Text>
      <List size="sm">
        {signatures.map((asked) => (
          <List.Item key={asked.requirement}>
            <Asked requirement={asked} />
          </List.Item>
        ))}
      </List>
      {notes.length > 0 && <Dimmed>{notes.join(' ')}</Dimmed>}
    </div>
  );
}

function Asked({ requirement }: { requirement: Requirement }) {
  const [t, format] = useWords('signed');
  const { any_of: anyOf, all_of: allOf, attestation, code, answers } = requirement;
  const names = anyOf ?? allOf ?? [];
  const who = names.length === 1 ? (names[0] ?? '') : whoOf(format.list(names));
  const what = attestation === null ? t.signature(who) : t.attestation(attestation, who);
  return (
    <>
      {t.states[code ?? 'met'](what)}
      <List size="sm" withPadding>
        {answers.map((answer) => (
          <List.Item key={answer.authority}>
            <Answered answer={answer} />
          </List.Item>
        ))}
      </List>
    </>
  );

  function whoOf(listed: string): string {
    return anyOf === null ? t.allOf(listed) : t.anyOf(listed);
  }
}

function Answered({ answer }: { answer: Answer }) {
  const [t, format] = useWords('signed');
  const reasonOf = useReasons();
  const { authority, state, signed, uncounted, uncounted_total: total } = answer;
  const [first] = signed;
  if (state === 'removed') return t.removed(authority);
  if (state === 'not_verified') return t.notVerified(authority);
  if (first?.at) return t.signedOn(authority, first.signer, format.dateTime(first.at));
  if (first) return t.signedBy(authority, first.signer);
  const [why] = uncounted;
  if (why === undefined) return t.none(authority);
  const more = total > 1 ? `, ${t.more(total - 1)}` : '';
  return `${t.uncounted(authority, reasonOf(why))}${more}`;
}

/** The words of a reason, and what it names. */
function useReasons(): (why: Answer['uncounted'][number]) => string {
  const t = useMessages('signed');
  return useCallback(
    ({ code, params }) => {
      const value = Object.values(params).filter(Boolean).join(', ');
      return value === '' ? t.codes[code] : t.fact(t.codes[code], value);
    },
    [t],
  );
}
