import axios from 'axios';

import { openPanel } from '../../support/panel';
import { useRig } from '../../support/rig';

const rig = useRig();

const panel = () => openPanel(rig.kit, 'eventData', {});

it.each([
	['searchEvents', /^.+ \(\d{4}-\d\d-\d\d\)$/, /^evt_/],
	['searchAttendees', /^.+ .+ \(.+@.+\)$/, /^att_/],
	['searchSessions', /^.+ \(\d{4}-\d\d-\d\d\)$/, /^ses_/],
	['searchRegistrations', /^reg_.+: attendee att_.+ \(.+\)$/, /^reg_/],
])('%s offers things by what people call them', async (method, name, value) => {
	const { results } = await panel().list(method);
	expect(results.length).toBeGreaterThan(10);
	for (const row of results) {
		expect(row.name).toMatch(name);
		expect(row.value).toMatch(value);
	}
});

it('gives a long list a screen at a time, each row once', async () => {
	const first = await panel().list('searchAttendees');
	const second = await panel().list('searchAttendees', undefined, `${first.paginationToken}`);
	expect(first.results).toHaveLength(200);
	expect(second.results).toHaveLength(200);
	expect(new Set([...first.results, ...second.results].map(({ value }) => value)).size).toBe(400);
});

it('finds rows by a part of their name, in any case', async () => {
	const { data } = await axios.get(`${rig.sandbox.addresses.eventData}/events/evt_1003`, {
		headers: { 'X-API-Key': rig.sandbox.demo.eventData.apiKey },
	});
	const { results } = await panel().list('searchEvents', ` ${data.name.toUpperCase().slice(2)} `);
	expect(results.map(({ value }) => value)).toContain('evt_1003');
	expect((await panel().list('searchEvents', 'no such event')).results).toEqual([]);
});

it('says what is wrong when a list cannot be had', async () => {
	rig.sandbox.weather.set({ service: 'eventData', kind: 'html' });
	await expect(panel().list('searchEvents')).rejects.toThrow(/answered with a web page/);
});
