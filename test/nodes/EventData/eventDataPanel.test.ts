// Protects choosing a record in the panel: lists have readable names, upcoming dates first, each row once, and a search.
import axios from 'axios';

import { openPanel } from '../../support/panel';
import { useRig } from '../../support/sandboxRig';

const rig = useRig();

const openNodePanel = () => openPanel(rig.kit, 'eventData', {});

it.each([
	['searchEvents', /^.+ \(\d{4}-\d\d-\d\d\)$/, /^evt_/],
	['searchAttendees', /^.+ .+ \(.+@.+\)$/, /^att_/],
	['searchSessions', /^.+ \(\d{4}-\d\d-\d\d\)$/, /^ses_/],
	['searchRegistrations', /^.+ .+ \(.+@.+\), .+, (confirmed|pending|cancelled)$/, /^reg_/],
])('%s lists records by readable names', async (method, namePattern, idPattern) => {
	const { results } = await openNodePanel().list(method);
	expect(results.length).toBeGreaterThan(10);
	for (const row of results) {
		expect(row.name).toMatch(namePattern);
		expect(row.value).toMatch(idPattern);
	}
});

it('the search finds registrations by the name of their attendee or event, with or without accents', async () => {
	const { results: attendees } = await openNodePanel().list('searchAttendees', 'soren');
	expect(attendees.length).toBeGreaterThan(0);
	for (const { name } of attendees) expect(name).toMatch(/s[øö]ren/i);
	const { results: byAttendee } = await openNodePanel().list('searchRegistrations', 'soren');
	expect(byAttendee.length).toBeGreaterThan(0);
	for (const { name } of byAttendee) expect(name).toMatch(/s[øö]ren/i);
	const { results: byEvent } = await openNodePanel().list('searchRegistrations', 'open data forum');
	expect(byEvent.length).toBeGreaterThan(0);
});

it('registrations are listed with the IDs of their attendees if attendees cannot be read', async () => {
	rig.sandbox.faultRules.add({ service: 'eventData', operation: 'getManyAttendees', kind: 'html' });
	const { results } = await openNodePanel().list('searchRegistrations');
	expect(results[0]!.name).toMatch(/^att_\d+, .+, \w+$/);
});

it.each(['searchEvents', 'searchSessions'])(
	'%s lists upcoming records first, the nearest date first in both parts',
	async (method) => {
		const { results } = await openNodePanel().list(method);
		const days = results.map(({ name }) => /\((.{10})\)$/.exec(name)![1]!);
		const today = new Date().toISOString().slice(0, 10);
		// The dates ascend up to the last upcoming record, and descend from the latest past one.
		const firstPastIndex = days.findIndex((day, index) => index > 0 && day < days[index - 1]!);
		const [upcomingDays, pastDays] = [days.slice(0, firstPastIndex), days.slice(firstPastIndex)];
		expect(upcomingDays.length).toBeGreaterThan(0);
		expect(pastDays.length).toBeGreaterThan(0);
		expect(upcomingDays).toEqual([...upcomingDays].sort());
		expect(pastDays).toEqual([...pastDays].sort().reverse());
		expect(upcomingDays.at(-1)! >= today).toBe(true);
		expect(pastDays[0]! <= today).toBe(true);
	},
);

it('all pages of events are listed if the provider reports no total', async () => {
	const { results: expectedResults } = await openNodePanel().list('searchEvents');
	Object.assign(rig.sandbox.settings.eventData, { lists: 'bare', pageLimit: 3 });
	const { results } = await openNodePanel().list('searchEvents');
	expect(expectedResults.length).toBeGreaterThan(3);
	expect(results).toEqual(expectedResults);
});

it('a long list is returned in pages of 200 rows, each row once', async () => {
	const firstPage = await openNodePanel().list('searchAttendees');
	const secondPage = await openNodePanel().list(
		'searchAttendees',
		undefined,
		`${firstPage.paginationToken}`,
	);
	expect(firstPage.results).toHaveLength(200);
	expect(secondPage.results).toHaveLength(200);
	const rows = [...firstPage.results, ...secondPage.results];
	expect(new Set(rows.map(({ value }) => value)).size).toBe(400);
});

it('the search finds rows by a part of their name, in upper or lower case', async () => {
	const { data } = await axios.get(`${rig.sandbox.addresses.eventData}/events/evt_1003`, {
		headers: { 'X-API-Key': rig.sandbox.demo.eventData.apiKey },
	});
	const { results } = await openNodePanel().list(
		'searchEvents',
		` ${data.name.toUpperCase().slice(2)} `,
	);
	expect(results.map(({ value }) => value)).toContain('evt_1003');
	expect((await openNodePanel().list('searchEvents', 'no such event')).results).toEqual([]);
});

it('the search fails with a message if the response cannot be read', async () => {
	rig.sandbox.faultRules.add({ service: 'eventData', kind: 'html' });
	await expect(openNodePanel().list('searchEvents')).rejects.toThrow(/answered with a web page/);
});
