// Protects what the simulator proves about runs of Sync: it finds a write that is repeated or that no plan contains.
import type { NewEvent } from '../history';
import {
	brokenBy,
	contact,
	ended,
	historyOf,
	output,
	requested,
	responded,
	started,
	writing,
} from './writeEvents';
import { checkWrites } from './writes';

describe('Sync', () => {
	const kinds = { Email: 'text', LastName: 'text' };
	const sync = { matchBy: 'Email', missing: 'remove' as const, kinds };
	const row = { Email: 'a@x.org', LastName: 'Ng', mode: 'apply' };
	const ann = contact('1', 'a@x.org', 'Ng');
	const bob = contact('2', 'b@x.org', 'Otte');
	const read = requested(1, 'GET', '/contacts');
	const check = (settings: object, given: object, ...events: NewEvent[]) =>
		checkWrites(
			historyOf(
				writing({ operation: 'sync', sync: { ...sync, ...settings } }),
				ann,
				bob,
				started({ ...row, ...given }),
				read,
				responded(1, 200),
				...events,
				ended,
			),
		);
	const promisesOf = (...values: Parameters<typeof check>) =>
		check(...values).violations.map(({ promise }) => promise);
	const removal = (id: string, Email: string): NewEvent[] => [
		requested(2, 'DELETE', `/contacts/${id}`),
		{
			type: 'recordChanged',
			table: 'contacts',
			id,
			before: { Email, LastName: 'x' },
			request: 2,
		},
		responded(2, 200),
	];
	const unchanged: NewEvent = {
		type: 'output',
		execution: '1',
		node: 'Next',
		items: [
			{ change: 'unchanged', applied: false, ContactId: 1, changes: [] },
			{ change: 'removed', applied: true, ContactId: 2, changes: [] },
		],
		from: [0, null],
	};

	it('a list that equals its plan breaks no promise', () => {
		expect(promisesOf({}, {}, ...removal('2', 'b@x.org'), unchanged)).toEqual([]);
	});

	it.each<[string, object, object, NewEvent[]]>([
		['a preview writes nothing', {}, { mode: 'preview' }, removal('2', 'b@x.org')],
		['a contact in the input is never removed', {}, {}, removal('1', 'a@x.org')],
		['limits hold', { maxRemovals: '0' }, {}, removal('2', 'b@x.org')],
		['after a run the list equals its plan', {}, {}, []],
		['no success that the service did not confirm', {}, {}, []],
		[
			'what was not asked for is not changed',
			{},
			{},
			[
				requested(2, 'PATCH', '/contacts/1', {}),
				{
					type: 'recordChanged',
					table: 'contacts',
					id: '1',
					before: { Email: 'a@x.org', LastName: 'Ng', Title: 'kept' },
					after: { Email: 'a@x.org', LastName: 'Ng', Title: '' },
					request: 2,
				},
				responded(2, 200),
			],
		],
		[
			'nobody is added twice',
			{},
			{},
			[
				requested(2, 'POST', '/contacts', [row]),
				contact('3', 'a@x.org', 'Ng', 2),
				responded(2, 200),
			],
		],
	])('%s', (promise, settings, given, events) => {
		expect(promisesOf(settings, given, ...events, unchanged)).toContain(promise);
	});

	it('a row is reported as it was planned', () => {
		const other = { ...row, LastName: 'Other' };
		expect(promisesOf({}, other, ...removal('2', 'b@x.org'), unchanged)).toContain(
			'a row is reported as it was planned',
		);
	});

	it('uncertain is never reported as certain, and certain not as uncertain', () => {
		const isLost = [requested(2, 'PATCH', '/contacts/1', {}), responded(2, undefined, 'lostAfter')];
		const applied = (value: unknown, change: string) =>
			output({ change, applied: value, ContactId: 1 });
		expect(promisesOf({}, {}, ...isLost, applied(false, 'updated'))).toContain(
			'uncertain is never reported as certain',
		);
		expect(promisesOf({}, {}, applied(null, 'uncertain'))).toContain(
			'a certain result is not reported as uncertain',
		);
	});

	it('a conflict is certain if a later try has read the list', () => {
		const isLost = [requested(2, 'PATCH', '/contacts/1', {}), responded(2, undefined, 'lostAfter')];
		const conflict = output({ change: 'conflict', applied: false, ContactId: 1 });
		const readAgain = [requested(3, 'GET', '/contacts?pageSize=200'), responded(3, 200)];
		const uncertain = 'uncertain is never reported as certain';
		expect(promisesOf({}, {}, ...isLost, conflict)).toContain(uncertain);
		expect(promisesOf({}, {}, ...isLost, ...readAgain, conflict)).not.toContain(uncertain);
	});

	it('a person who signed up after the last check excuses a second contact', () => {
		const cleo = { Email: 'c@x.org', LastName: 'Ng' };
		const { violations, exceptions } = check(
			{ missing: 'leave' },
			cleo,
			contact('3', 'c@x.org', 'Ng'),
			requested(2, 'POST', '/contacts', [cleo]),
			contact('4', 'c@x.org', 'Ng', 2),
			responded(2, 200),
			output({ change: 'created', applied: true }),
		);
		expect(violations).toEqual([]);
		expect([...exceptions.keys()]).toEqual([
			'a person signed up between the last check and the addition',
		]);
	});

	it('a contact of which the service says that it is gone counts as removed', () => {
		const { violations, exceptions } = check(
			{},
			{},
			requested(2, 'DELETE', '/contacts/2'),
			responded(2, 404, '404'),
			unchanged,
		);
		expect(violations).toEqual([]);
		expect([...exceptions.keys()]).toEqual([
			'a contact counts as removed if the service says that it is gone',
		]);
	});

	describe('nothing is written but the expected plan', () => {
		/** Plays a preview and a Sync that expects its plan and adds a contact. `meanwhile` happens in between. */
		const play = (given: object, ...meanwhile: NewEvent[]) => {
			const cleo = { Email: 'c@x.org', LastName: 'Ng', mode: 'apply' };
			const rows = [{ ...row, ...given }, cleo];
			const shown = { ...output({ change: 'unchanged', plan: 'p' }), execution: '0' } as NewEvent;
			return brokenBy(
				writing({ operation: 'sync', sync: { ...sync, missing: 'leave' } }),
				ann,
				{
					...started(...rows.map((one) => ({ ...one, mode: 'preview' }))),
					execution: '0',
				} as NewEvent,
				shown,
				...meanwhile,
				started(...rows.map((one) => ({ ...one, expected: 'p' }))),
				read,
				requested(2, 'POST', '/contacts', [cleo]),
				contact('3', 'c@x.org', 'Ng', 2),
				responded(2, 200),
			);
		};

		it('a row that would be written otherwise is another plan', () => {
			expect(play({}, { ...contact('1', 'a@x.org', 'Changed'), before: {} } as NewEvent)).toContain(
				'nothing is written but the expected plan',
			);
		});

		it('a row that is not written may become a conflict', () => {
			expect(play({}, contact('2', 'a@x.org', 'Ng'))).not.toContain(
				'nothing is written but the expected plan',
			);
			expect(play({ LastName: 'New' }, contact('2', 'a@x.org', 'Ng'))).toContain(
				'nothing is written but the expected plan',
			);
		});
	});

	describe('a try makes an update again', () => {
		const update = (request: number) => requested(request, 'PATCH', '/contacts/1', {});
		const change = (LastName: string, request?: number): NewEvent => ({
			type: 'recordChanged',
			table: 'contacts',
			id: '1',
			before: { Email: 'a@x.org', LastName: LastName === 'Ng' ? 'Old' : 'Ng' },
			after: { Email: 'a@x.org', LastName },
			...(request !== undefined && { request }),
		});
		const listed: NewEvent[] = [
			requested(3, 'GET', '/contacts?pageSize=200'),
			{ type: 'executed', request: 3, status: 200, body: [] },
			responded(3, 200),
		];
		const again = [update(4), change('Ng', 4), responded(4, 200)];
		const made = [update(2), change('Ng', 2), responded(2, 200)];
		const play = (...events: NewEvent[]) =>
			check({ missing: 'leave' }, {}, ...events, output({ change: 'updated', applied: true }));

		it.each<[string, NewEvent[]]>([
			['that was undone before the list was read', [...made, change('Old'), ...listed]],
			['that was lost', [update(2), responded(2, undefined, 'lostBefore'), ...listed]],
		])('%s', (_, events) => {
			const { violations, exceptions } = play(change('Old'), ...events, ...again);
			expect(violations).toEqual([]);
			expect([...exceptions.keys()]).toEqual([
				'a try of a Sync makes an update that the list does not have',
			]);
		});

		it.each<[string, NewEvent[]]>([
			['that the list has', [change('Old'), ...made, ...listed]],
			['that was undone after the list was read', [...made, ...listed, change('Old')]],
			['without reading the list again', [...listed, ...made, change('Old')]],
		])('not one %s', (_, events) => {
			expect(play(...events, ...again).violations).toEqual([
				expect.objectContaining({ promise: 'nothing is sent twice' }),
			]);
		});
	});
});
