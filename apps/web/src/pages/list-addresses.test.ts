/** What the fixture says of the addresses of lists, of the code of each list. */
import { requestPath } from '@portcullis/client/request';
import { contract } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import type { ListFilter } from '../kit/list/filter.ts';
import { AUDIT_FILTER } from './audit/audit-filter.ts';
import { FOLDER_FILTER } from './folders/images/image-filter.ts';
import { IMAGE_FILTER } from './images/image-filter.ts';
import { TAG_FILTER } from './images/repository/tag-filter.ts';
import { LIST_ADDRESSES, type ListAddress, type ListName, NOW } from './list-addresses.fixture.ts';
import { USER_FILTER } from './settings/users/user-filter.ts';
import { JOB_FILTER } from './staging/job-filter.ts';
import { SCHEDULE_FILTER } from './transfers/schedules/schedule-filter.ts';
import { TRANSFER_FILTER } from './transfers/transfer-filter.ts';
import { VULNERABILITY_FILTER } from './vulnerabilities/vulnerability-filter.ts';
import { waiverFilter } from './waivers/waiver-filter.ts';

type Query = Record<string, string | string[]>;

interface Understood {
  query: object;
  written: Query;
  isFiltered: boolean;
  saved: string;
}

interface List {
  operation: { query: { parse(sent: unknown): object } };
  of(address: URLSearchParams): Understood;
}

function listOf<S extends object>(
  operation: List['operation'],
  filter: ListFilter<S, object>,
): List {
  return {
    operation,
    of(address) {
      const state = filter.read(address);
      return {
        query: filter.query(state, NOW),
        written: filter.write(state),
        isFiltered: filter.isFiltered(state),
        saved: filter.saved(state),
      };
    },
  };
}

const LISTS: Record<ListName, List> = {
  jobs: listOf(contract.staging.listJobs, JOB_FILTER),
  transfers: listOf(contract.transfers.listTransfers, TRANSFER_FILTER),
  schedules: listOf(contract.transfers.listSchedules, SCHEDULE_FILTER),
  audit: listOf(contract.audit.listAudit, AUDIT_FILTER),
  vulnerabilities: listOf(contract.vulnerabilities.listVulnerabilities, VULNERABILITY_FILTER),
  waivers: listOf(contract.waivers.list, waiverFilter('all')),
  repositories: listOf(contract.images.listImages, IMAGE_FILTER),
  tags: listOf(contract.images.listImageTags, TAG_FILTER),
  accounts: listOf(contract.users.list, USER_FILTER),
  folderImages: listOf(contract.folders.listFolderImages, FOLDER_FILTER),
};

describe.each(Object.entries(LIST_ADDRESSES) as [ListName, readonly ListAddress[]][])(
  'the list of %s',
  (name, addresses) => {
    const { operation, of } = LISTS[name];
    it.each(addresses)('keeps the meaning of “$address”', (expected) => {
      const { address } = expected;
      const found = of(new URLSearchParams(address));
      const text = textOf(found.written);
      expect(understood(operation, found.query)).toEqual({
        ...understood(operation, {}),
        ...expected.query,
      });
      expect(text).toBe(expected.written ?? address);
      expect(found.isFiltered).toBe(expected.isFiltered ?? false);
      expect(found.saved).toBe(expected.saved ?? text);
      // Reading it again changes nothing.
      expect(of(new URLSearchParams(text))).toEqual(found);
    });
  },
);

function textOf(query: Query): string {
  return new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, each])),
  ).toString();
}

/** The query that the API reads from a request. */
function understood(operation: List['operation'], query: object): object {
  const path = requestPath({ method: 'get', path: '/list', answer: 'json' }, { query });
  const sent = Object.fromEntries(new URL(path, 'http://page').searchParams);
  const needed = operation === contract.images.listImageTags ? { repository: 'team/app' } : {};
  return operation.query.parse({ ...needed, ...sent });
}
