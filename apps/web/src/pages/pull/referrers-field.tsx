import { useMessages } from '../../i18n/messages.ts';
import { ChoiceSelect } from '../../kit/form/choices.tsx';
import type { ReferrerWord } from './referrer-words.ts';

interface ReferrersFieldProps {
  value: ReferrerWord;
  onChange(value: ReferrerWord): void;
}

/** Whether signatures, SBOMs and attestations are copied with the image. */
export function ReferrersField({ value, onChange }: ReferrersFieldProps) {
  const t = useMessages('pull');
  return (
    <ChoiceSelect label={t.referrers} names={t.referrerChoices} value={value} onChange={onChange} />
  );
}
