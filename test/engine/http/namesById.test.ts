// Protects names that a trigger looks up by ID: when the list is read again, and that known names survive a failed read.
import { NamesById } from '../../../nodes/engine/http/namesById';
import { stubClient } from '../../support/stubClient';

const MINUTE_MS = 60_000;

/** Creates names with a clock that the test sets, and a function that loads IDs from a list that the test gives. */
function setUp() {
	const clock = { now: 0 };
	let reads = 0;
	const names = new NamesById(
		{
			request: { method: 'GET', path: '/types', idempotent: true },
			paging: { identify: ({ id }) => id },
			nameOf: ({ name }) => {
				reads++;
				return name as string;
			},
		},
		() => clock.now,
	);
	const load = async (list: Record<string, string> | Error, ...ids: string[]) => {
		const readsBefore = reads;
		const body =
			list instanceof Error
				? list
				: { body: Object.entries(list).map(([id, name]) => ({ id, name })) };
		const error: unknown = await names
			.load(stubClient('http://127.0.0.1', body), ids)
			.catch((thrown: unknown) => thrown);
		return { wasRead: reads > readsBefore, hasFailed: error !== undefined };
	};
	return { clock, names, load };
}

const WAS_READ = { wasRead: true, hasFailed: false };
const NOT_READ = { wasRead: false, hasFailed: false };
const FAILED = { wasRead: false, hasFailed: true };

describe('NamesById', () => {
	it('reads the list for the first ID, and not again for known IDs within ten minutes', async () => {
		const { clock, names, load } = setUp();
		expect(await load({ 1: 'Guest' })).toEqual(NOT_READ);
		expect(await load({ 1: 'Guest' }, '1')).toEqual(WAS_READ);
		clock.now = 10 * MINUTE_MS - 1;
		expect(await load({ 1: 'VIP' }, '1')).toEqual(NOT_READ);
		expect(names.get('1')).toBe('Guest');
		clock.now = 10 * MINUTE_MS;
		expect(await load({ 1: 'VIP' }, '1')).toEqual(WAS_READ);
		expect(names.get('1')).toBe('VIP');
	});

	it('reads the list for an unknown ID, five seconds after the last read at the earliest', async () => {
		const { clock, names, load } = setUp();
		await load({ 1: 'Guest' }, '1');
		clock.now = 4999;
		expect(await load({ 1: 'Guest', 2: 'New' }, '2')).toEqual(NOT_READ);
		clock.now = 5000;
		expect(await load({ 1: 'Guest', 2: 'New' }, '2')).toEqual(WAS_READ);
		expect(names.get('2')).toBe('New');
	});

	it('does not read again for an ID that the list lacks, until the names are too old', async () => {
		const { clock, names, load } = setUp();
		await load({ 1: 'Guest' }, '7');
		expect(names.get('7')).toBeUndefined();
		clock.now = MINUTE_MS;
		expect(await load({ 1: 'Guest', 7: 'Late' }, '7')).toEqual(NOT_READ);
		clock.now = 10 * MINUTE_MS;
		expect(await load({ 1: 'Guest', 7: 'Late' }, '7')).toEqual(WAS_READ);
		expect(names.get('7')).toBe('Late');
	});

	it('fails for a minute after a failed read, then reads again; known names stay', async () => {
		const { clock, names, load } = setUp();
		await load({ 1: 'Guest' }, '1');
		clock.now = 5000;
		expect(await load(new Error('down'), '2')).toEqual(FAILED);
		expect(await load(new Error('down'), '1')).toEqual(NOT_READ);
		expect(names.get('1')).toBe('Guest');
		clock.now = 5000 + MINUTE_MS - 1;
		expect(await load({ 2: 'New' }, '2')).toEqual(FAILED);
		clock.now = 5000 + MINUTE_MS;
		expect(await load({ 2: 'New' }, '2')).toEqual(WAS_READ);
		expect([names.get('1'), names.get('2')]).toEqual(['Guest', 'New']);
	});
});
