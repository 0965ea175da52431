import axios from 'axios';

import { openPanel } from '../../support/panel';
import { useRig } from '../../support/sandboxRig';

const rig = useRig();

const panel = () => openPanel(rig.kit, 'eventData', {});

it.each([
	['searchEvents', /^.+ \(\d{4}-\d\d-\d\d\)$/, /^evt_/],
	['searchAttendees', /^.+ .+ \(.+@.+\)$/, /^att_/],
	['searchSessions', /^.+ \(\d{4}-\d\d-\d\d\)$/, /^ses_/],
	['searchRegistrations', /^.+ .+ \(.+@.+\), .+, (confirmed|pending|cancelled)$/, /^reg_/],
])('%s lists records by readable names', async (method, name, value) => {
	const { results } = await panel().list(method);
	expect(results.length).toBeGreaterThan(10);
	for (const row of results) {
		expect(row.name).toMatch(name);
		expect(row.value).toMatch(value);
	}
});

it('the list finds a registration by the name of its attendee or event, with or without accents', async () => {
	const { results: attendees } = await panel().list('searchAttendees', 'soren');
	expect(attendees.length).toBeGreaterThan(0);
	for (const { name } of attendees) expect(name).toMatch(/s[øö]ren/i);
	const { results } = await panel().list('searchRegistrations', 'soren');
	expect(results.length).toBeGreaterThan(0);
	for (const { name } of results) expect(name).toMatch(/s[øö]ren/i);
	const { results: ofEvent } = await panel().list('searchRegistrations', 'open data forum');
	expect(ofEvent.length).toBeGreaterThan(0);
});

it('the list still has registrations if attendees cannot be read', async () => {
	rig.sandbox.faultRules.add({ service: 'eventData', operation: 'getManyAttendees', kind: 'html' });
	const { results } = await panel().list('searchRegistrations');
	expect(results[0]!.name).toMatch(/^att_\d+, .+, \w+$/);
});

it.each(['searchEvents', 'searchSessions'])('%s lists upcoming records first', async (method) => {
	const { results } = await panel().list(method);
	const days = results.map(({ name }) => /\((.{10})\)$/.exec(name)![1]!);
	const today = new Date().toISOString().slice(0, 10);
	const firstOver = days.findIndex((day, index) => index > 0 && day < days[index - 1]!);
	const [coming, over] = [days.slice(0, firstOver), days.slice(firstOver)];
	expect(coming.length).toBeGreaterThan(0);
	expect(over.length).toBeGreaterThan(0);
	expect(coming).toEqual([...coming].sort());
	expect(over).toEqual([...over].sort().reverse());
	expect(coming.at(-1)! >= today).toBe(true);
	expect(over[0]! <= today).toBe(true);
});

it('the list of events has all pages of a provider that reports no total', async () => {
	const { results: expectedResults } = await panel().list('searchEvents');
	Object.assign(rig.sandbox.settings.eventData, { lists: 'bare', pageLimit: 3 });
	const { results } = await panel().list('searchEvents');
	expect(expectedResults.length).toBeGreaterThan(3);
	expect(results).toEqual(expectedResults);
});

it('the list returns a long list in pages, each row once', async () => {
	const first = await panel().list('searchAttendees');
	const second = await panel().list('searchAttendees', undefined, `${first.paginationToken}`);
	expect(first.results).toHaveLength(200);
	expect(second.results).toHaveLength(200);
	expect(new Set([...first.results, ...second.results].map(({ value }) => value)).size).toBe(400);
});

it('the list finds rows by a part of their name, in any case', async () => {
	const { data } = await axios.get(`${rig.sandbox.addresses.eventData}/events/evt_1003`, {
		headers: { 'X-API-Key': rig.sandbox.demo.eventData.apiKey },
	});
	const { results } = await panel().list('searchEvents', ` ${data.name.toUpperCase().slice(2)} `);
	expect(results.map(({ value }) => value)).toContain('evt_1003');
	expect((await panel().list('searchEvents', 'no such event')).results).toEqual([]);
});

it('the list fails with a message if it cannot be read', async () => {
	rig.sandbox.faultRules.add({ service: 'eventData', kind: 'html' });
	await expect(panel().list('searchEvents')).rejects.toThrow(/answered with a web page/);
});
