/**
 * `virtual:limits`: the longest text, the least and the largest number, and the most items of each
 * field in the body of an operation, by the path of the field. The controls of forms have them.
 */
import { contract, type Operation } from '@portcullis/contract';
import { virtualModule } from './virtual-module.ts';

export const limits = () => virtualModule('limits', 'limits', all);

function all(): Record<string, object> {
  const groups = Object.entries<Record<string, Operation>>(contract);
  return Object.fromEntries(
    groups.flatMap(([group, operations]) =>
      Object.entries(operations).flatMap(([name, { body }]) => {
        const found = body === undefined ? [] : limitsIn(schemaOf(body));
        return found.length === 0 ? [] : [[`${group}.${name}`, Object.fromEntries(found)]];
      }),
    ),
  );
}

/** JSON Schema, as far as limits need it. */
interface Schema {
  type?: string;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
}

function schemaOf(body: NonNullable<Operation['body']>): Schema {
  return JSON.parse(JSON.stringify(body.toJSONSchema({ io: 'input', unrepresentable: 'any' })));
}

function limitsIn({ properties = {} }: Schema, path = ''): [path: string, limit: object][] {
  return Object.entries(properties).flatMap(([name, given]) => {
    const schema = given.anyOf?.find(({ type }) => type !== 'null') ?? given;
    const limit = limitOf(schema);
    const below = limitsIn(schema, `${path}${name}.`);
    return Object.keys(limit).length > 0 ? [[`${path}${name}`, limit], ...below] : below;
  });
}

/** A control cuts off what is longer, which must not happen unseen to a certificate or a secret. */
const LONGEST = 2_048;

function limitOf({ maxLength, minimum, maximum, maxItems }: Schema): object {
  return {
    ...(maxLength !== undefined && maxLength <= LONGEST && { maxLength }),
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { max: maximum }),
    ...(maxItems !== undefined && { maxTags: maxItems }),
  };
}
