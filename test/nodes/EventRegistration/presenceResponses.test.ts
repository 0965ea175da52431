// Protects the counts of missing people: an incomplete list is an error, and a hint counts unclear confirmation codes.
import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../support/locators';
import { useFake } from './fakeService';
import type { Reply } from './fakeService';

const PAGE_SIZE = 200;

const fake = useFake();

interface Lists {
	registrations: IDataObject[];
	attendance: IDataObject[];
	transactions?: IDataObject[];
}

const readPageNumber = (url: string) =>
	Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
const findListName = (url: string) =>
	(['registrationtypes', 'registrations', 'attendance', 'transactions'] as const).find((name) =>
		url.includes(`/${name}`),
	);

/** Serves the lists page by page. `override` replaces single responses. */
const serve = (
	lists: Lists,
	override: (list: string, page: number) => Reply | undefined = () => undefined,
) =>
	fake.respondWith(({ url }) => {
		const list = findListName(url);
		if (!list) return { body: { EventId: 7, Name: 'Fair' } };
		const page = readPageNumber(url);
		const records = list === 'registrationtypes' ? [] : (lists[list] ?? []);
		return (
			override(list, page) ?? { body: records.slice(PAGE_SIZE * (page - 1), PAGE_SIZE * page) }
		);
	});

const makeRegistrations = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		RegistrationId: index + 1,
		RegistrationStatus: 'Confirmed',
		RegistrationTypeId: 1,
		ConfirmationCode: `C${index + 1}`,
	}));
const makeCheckIns = (...codes: Array<string | null>): IDataObject[] =>
	codes.map((ConfirmationCode, index) => ({ CheckInLogId: index + 1, ConfirmationCode }));

const operations = {
	getMissing: { resource: 'attendance', operation: 'getMissing', returnAll: true },
	getSummary: { resource: 'event', operation: 'getSummary' },
};
const run = async (name: keyof typeof operations, parameters: object = {}) => {
	const { outputItems, error, hints } = await fake.run({
		...operations[name],
		eventId: locateById(7),
		options: { tries: 1 },
		...parameters,
	});
	return { outputItems, error, hints: hints.map(({ message }) => message) };
};
const getMissingIds = async (lists: Lists) => {
	serve(lists);
	const { outputItems, error, hints } = await run('getMissing');
	expect(error).toBeUndefined();
	return { ids: outputItems.map(({ RegistrationId }) => RegistrationId), hints };
};

describe.each(['getMissing', 'getSummary'] as const)('the lists that %s reads', (operation) => {
	const nouns = { registrations: 'registrations', attendance: 'check-ins' } as const;

	it('both lists are read to the end', async () => {
		const registrations = makeRegistrations(3 * PAGE_SIZE + 5);
		const codes = registrations.map(({ ConfirmationCode }) => ConfirmationCode);
		serve({ registrations, attendance: makeCheckIns(...codes.slice(0, -2)) });
		const { outputItems, error } = await run(operation);
		expect(error).toBeUndefined();
		const missing = operation === 'getMissing' ? outputItems.length : outputItems[0]!.missing;
		expect(missing).toBe(2);
	});

	describe.each(['registrations', 'attendance'] as const)('the list of %s', (faultyList) => {
		it.each<[string, Reply]>([
			['nothing', { body: undefined }],
			['null', { body: null }],
			['an empty object', { body: {} }],
			['a text', { body: 'none' }],
			['an error with a status of success', { body: { error: 'The index is being built' } }],
			['a failure beside an empty list', { body: { success: false, data: [] } }],
			['a list of texts', { body: ['x'] }],
			['a list that also contains null', { body: [{ RegistrationId: 1, CheckInLogId: 1 }, null] }],
			['records without an ID', { body: [{ ConfirmationCode: 'C1' }] }],
			['a single record', { body: { RegistrationId: 1, CheckInLogId: 1 } }],
			['an empty list with a total of 3', { body: { data: [], total: 3 } }],
		])('a response of %s is reported as an error', async (_, reply) => {
			serve({ registrations: makeRegistrations(2), attendance: makeCheckIns('C1') }, (list) =>
				list === faultyList ? reply : undefined,
			);
			const { outputItems, error } = await run(operation);
			expect(outputItems).toEqual([]);
			expect(error!.message).toMatch(/^The event registration service /);
			expect(error!.message).not.toMatch(/Cannot|undefined|not a function/);
		});

		it('a list that repeats its first page is an error', async () => {
			const registrations = makeRegistrations(PAGE_SIZE + 1);
			const attendance = makeCheckIns(
				...registrations.map(({ ConfirmationCode }) => ConfirmationCode),
			);
			serve({ registrations, attendance }, (list) =>
				list === faultyList
					? { body: { registrations, attendance }[list].slice(0, PAGE_SIZE) }
					: undefined,
			);
			const { outputItems, error } = await run(operation);
			expect(outputItems).toEqual([]);
			expect(error).toMatchObject({
				message: `The event registration service did not return a complete list of ${nouns[faultyList]}, so the result would be wrong`,
				description: expect.stringMatching(
					/^The service sent the same records again, so it seems to ignore the page number\. Try again later/,
				),
			});
		});

		it('status 204 is accepted as an empty list', async () => {
			serve({ registrations: makeRegistrations(1), attendance: [] }, (list) =>
				list === faultyList ? { status: 204 } : undefined,
			);
			const { outputItems, error } = await run(operation);
			expect(error).toBeUndefined();
			const missing = operation === 'getMissing' ? outputItems.length : outputItems[0]!.missing;
			expect(missing).toBe(faultyList === 'registrations' ? 0 : 1);
		});
	});
});

describe('a list that changes while it is read', () => {
	it('a person who moves from one page to the next is counted once', async () => {
		const registrations = makeRegistrations(PAGE_SIZE + 1);
		// The first record moves to the end between the pages, as sorted by change: the next page begins one later.
		const reorderedRegistrations = [
			...registrations.slice(1),
			{ ...registrations[0]!, RegistrationStatus: 'Cancelled' },
		];
		serve({ registrations, attendance: [] }, (list, page) => {
			if (list !== 'registrations' || page === 1) return undefined;
			return { body: reorderedRegistrations.slice(PAGE_SIZE * (page - 1) - 1) };
		});
		const { outputItems, error } = await run('getMissing');
		expect(error).toBeUndefined();
		const ids = outputItems.map(({ RegistrationId }) => RegistrationId);
		expect(ids).toEqual(registrations.map(({ RegistrationId }) => RegistrationId));
	});

	it('a person who checks in while the registrations are read counts as present', async () => {
		const attendance: IDataObject[] = [];
		serve({ registrations: makeRegistrations(PAGE_SIZE + 1), attendance }, (list, page) => {
			if (list === 'registrations' && page === 2) attendance.push(...makeCheckIns('C1'));
			return undefined;
		});
		const { outputItems } = await run('getMissing');
		expect(outputItems.map(({ RegistrationId }) => RegistrationId)).not.toContain(1);
		expect(outputItems).toHaveLength(PAGE_SIZE);
	});
});

describe('the confirmation codes', () => {
	it('codes match regardless of case and white space, and a number matches its text', async () => {
		const registrations = makeRegistrations(3);
		Object.assign(registrations[2]!, { ConfirmationCode: 4711 });
		const { ids, hints } = await getMissingIds({
			registrations,
			attendance: makeCheckIns(' c1 ', '4711'),
		});
		expect(ids).toEqual([2]);
		expect(hints).toEqual([]);
	});

	it.each([
		[1, '1 check-in has no confirmation code, so it may belong to someone who'],
		[2, '2 check-ins have no confirmation code, so they may belong to people who'],
	])('a hint counts the check-ins without a code (%i)', async (count, expectedHint) => {
		const attendance = makeCheckIns('C1', ...[null, ' '].slice(0, count));
		const { ids, hints } = await getMissingIds({ registrations: makeRegistrations(2), attendance });
		expect(ids).toEqual([2]);
		expect(hints).toEqual([
			expect.stringMatching(
				new RegExp(`^Event 7: ${expectedHint} .*missing here\\. .*attendance list`),
			),
		]);
	});

	it('a registration without a code counts as missing, and a hint says so', async () => {
		const registrations = makeRegistrations(3);
		Object.assign(registrations[0]!, { ConfirmationCode: '' });
		const { ids, hints } = await getMissingIds({
			registrations,
			attendance: makeCheckIns('C2', ''),
		});
		expect(ids).toEqual([1, 3]);
		expect(hints).toEqual([
			expect.stringContaining('1 check-in has no confirmation code'),
			'Event 7: 1 registration has no confirmation code, so this person counts as missing even after checking in.',
		]);
	});

	it('a check-in with a code that host and guest share counts for both, and a hint says so', async () => {
		const registrations = makeRegistrations(3);
		Object.assign(registrations[1]!, { ConfirmationCode: 'C1', HostRegistrationId: 1 });
		const { ids, hints } = await getMissingIds({ registrations, attendance: makeCheckIns('C1') });
		expect(ids).toEqual([3]);
		expect(hints).toEqual([
			'Event 7: 2 registrations share their confirmation code with others, so one check-in counts for everyone who has the same code.',
		]);
	});

	it('several check-ins count once, and an entry without a time does not count', async () => {
		const attendance = makeCheckIns('C1', 'C1', 'C2');
		attendance[2]!.CheckInDateTime = null;
		const { ids } = await getMissingIds({ registrations: makeRegistrations(2), attendance });
		expect(ids).toEqual([2]);
	});
});

it.each(['getMissing', 'getSummary'] as const)(
	'%s names the statuses that it does not know',
	async (name) => {
		const registrations = makeRegistrations(3).map((registration, index) => ({
			...registration,
			RegistrationStatus: ['Confirmed', 'Storniert', 'Waitlisted'][index],
		}));
		serve({ registrations, attendance: [], transactions: [] });
		const { hints } = await run(name);
		expect(JSON.stringify(hints)).toContain(
			'with the unknown status \\"Storniert\\" count as not canceled',
		);
		serve({ registrations: makeRegistrations(1), attendance: [], transactions: [] });
		expect(JSON.stringify((await run(name)).hints)).not.toContain('unknown status');
	},
);
