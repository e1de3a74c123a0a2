import type { ScanPolicy } from '@portcullis/contract';
import { useContext } from 'react';
import { LanguageContext, useMessages } from '../../../i18n/messages.ts';

export function PolicySentence({ policy }: { policy: ScanPolicy }) {
  const t = useMessages('scan');
  const { severity } = useMessages('verdict');
  const either = new Intl.ListFormat(useContext(LanguageContext), { type: 'disjunction' });
  if (!policy.scan_enabled) return t.sentenceOff;
  if (policy.severities.length === 0) return t.sentenceNone;
  return t.sentence(either.format(policy.severities.map((each) => severity[each])));
}
