/** Validates params, query and body against the contract; reports all faults at once. */
import {
  type FieldFault,
  fieldFault,
  fieldFaultsOf,
  type InputOf,
  type Operation,
  querySchemaOf,
} from '@portcullis/contract';
import { notFound } from '@portcullis/errors';
import { inSlices, type Steps } from '@portcullis/oci';
import type { Request } from 'express';
import { z } from 'zod';
import { fieldsInvalid } from './problem.ts';

/** @throws not_found for a path no resource can have, invalid for the rest */
export async function validate<O extends Operation>(
  operation: O,
  request: Request,
): Promise<InputOf<O>> {
  const params = check(operation.params, request.params);
  if (params.faults.length > 0) throw notFound('NOT_FOUND', 'There is nothing with this id.');
  const query = check(querySchemaOf(operation), { ...request.query });
  const body = await checkBody(operation, request.body);
  const faults = [...query.faults, ...body.faults];
  if (faults.length > 0) throw fieldsInvalid(faults.slice(0, MAX_FAULTS));
  // The compiler cannot follow the operation's schemas through the loop above.
  return { params: params.value, query: query.value, body: body.value } as InputOf<O>;
}

/**
 * Reports each required field of an empty body, or the body itself if no field is required: no
 * operation starts without one.
 */
async function checkBody({ body: schema, large }: Operation, given: unknown): Promise<Checked> {
  if (schema instanceof z.ZodObject && large !== undefined) return checkLarge(schema, large, given);
  if (!schema || given !== undefined) return check(schema, given);
  const { faults } = check(schema, {});
  const missing = [fieldFault('', 'REQUIRED', 'A JSON body is required.')];
  return { value: undefined, faults: faults.length > 0 ? faults : missing };
}

/** Checks the elements of the member that is large in slices: they would hold the event loop. */
async function checkLarge(schema: z.ZodObject, member: string, given: unknown): Promise<Checked> {
  const list = schema.shape[member];
  if (!(list instanceof z.ZodArray)) throw new Error(`${member} is not a list`);
  // Its own checks are of its length.
  const checks = list.def.checks as z.core.$ZodCheck<unknown[]>[] | undefined;
  const outer = z.array(z.unknown()).check(...(checks ?? []));
  const whole = check(schema.extend({ [member]: outer }), given ?? {});
  if (whole.faults.length > 0) return whole;
  const value = whole.value as Record<string, unknown[]>;
  const elements = await inSlices(
    checkEach(list.element as z.ZodType, member, value[member] ?? []),
  );
  return { value: { ...value, [member]: elements.value }, faults: elements.faults };
}

function* checkEach(schema: z.ZodType, member: string, given: unknown[]): Steps<ElementsChecked> {
  const value: unknown[] = [];
  const faults: FieldFault[] = [];
  for (const [at, element] of given.entries()) {
    const checked = check(schema, element);
    value.push(checked.value);
    for (const fault of checked.faults)
      faults.push({
        ...fault,
        path: [member, at, fault.path].filter((part) => part !== '').join('.'),
      });
    if (faults.length >= MAX_FAULTS) break;
    yield;
  }
  return { value, faults };
}

interface ElementsChecked {
  value: unknown[];
  faults: FieldFault[];
}

/** Keeps the reply from outgrowing the request. */
const MAX_FAULTS = 100;

interface Checked {
  value: unknown;
  faults: FieldFault[];
}

function check(schema: z.ZodType | undefined, given: unknown): Checked {
  if (!schema) return { value: undefined, faults: [] };
  const unwritable = unwritableText(given);
  if (unwritable.length > 0) return { value: undefined, faults: unwritable };
  const parsed = schema.safeParse(given, { reportInput: true });
  return parsed.success
    ? { value: parsed.data, faults: [] }
    : { value: undefined, faults: faultsOf(parsed.error.issues) };
}

function faultsOf(issues: readonly z.core.$ZodIssue[]): FieldFault[] {
  const faults: FieldFault[] = [];
  for (const issue of issues) {
    if (faults.length >= MAX_FAULTS) break;
    faults.push(...fieldFaultsOf(bounded(issue)));
  }
  return faults;
}

function bounded(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'unrecognized_keys') return issue;
  return { ...issue, keys: issue.keys.slice(0, MAX_FAULTS) };
}

/** No valid body is nested as deeply. */
const MAX_DEPTH = 32;

/**
 * NUL and lone surrogates are legal in JSON, but no database column can store them. The path is
 * built only for a fault: any client may send a megabyte of brackets to the login.
 */
function unwritableText(value: unknown, depth = 0): FieldFault[] {
  if (typeof value === 'string') {
    const fine = value.isWellFormed() && !value.includes('\0');
    return fine ? [] : [fieldFault('', 'NOT_TEXT', 'NUL and unpaired surrogates are not allowed.')];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (depth === MAX_DEPTH) return [fieldFault('', 'TOO_DEEP', 'The value is nested too deeply.')];
  const faults: FieldFault[] = [];
  for (const [key, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    for (const fault of unwritableText(inner, depth + 1))
      faults.push({ ...fault, path: fault.path === '' ? String(key) : `${key}.${fault.path}` });
    if (faults.length >= MAX_FAULTS) break;
  }
  return faults;
}
