/** What code reads by a name of another package has exactly those names. */
import type { FieldFaultCode } from '@portcullis/contract';
import type { AuditEventName } from '@portcullis/domain';
import { expectTypeOf, it } from 'vitest';
import type { Messages } from '../i18n/messages.ts';

// The type check fails with the name that is missing or too many.
it('each audit event has words, and nothing else has', () => {
  type Event = keyof Messages['audit']['events'];
  expectTypeOf<never>().toEqualTypeOf<Exclude<AuditEventName, Event>>();
  expectTypeOf<never>().toEqualTypeOf<Exclude<Event, AuditEventName>>();
});

it('each field fault has words, and nothing else has', () => {
  type Code = keyof Messages['fieldFault'];
  expectTypeOf<never>().toEqualTypeOf<Exclude<FieldFaultCode, Code>>();
  expectTypeOf<never>().toEqualTypeOf<Exclude<Code, FieldFaultCode>>();
});
