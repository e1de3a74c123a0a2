/** Until when what a review asks for is to be accepted. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import { dayOf, lastDay } from './review-form.ts';

export function EndField({ now, ...field }: TextInputProps & { now: number }) {
  const t = useMessages('reviewRequest');
  return (
    <TextInput
      type="date"
      label={t.until}
      description={t.untilHint}
      {...field}
      min={dayOf(now)}
      max={lastDay(now)}
      required
    />
  );
}
