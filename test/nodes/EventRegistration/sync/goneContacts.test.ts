// Protects removals by Sync: a contact counts as removed if the service says that it is gone, but not if a web page does.
import { ServiceFailure } from '../../../../nodes/engine/errors';
import type { PlannedRow } from '../../../../nodes/EventRegistration/contact/sync/types';
import {
	MAX_CONSECUTIVE_FAILURES,
	WriteResults,
} from '../../../../nodes/EventRegistration/contact/sync/writeResults';
import { useFake } from '../fakeService';
import type { Reply } from '../fakeService';
import { applyToFake, makePerson } from './people';

const fake = useFake();

describe.each([404, 410])('a contact for which the service answers with status %s', (status) => {
	const syncWith = async (reply: (method: string) => Reply) => {
		const methods: string[] = [];
		const contacts = ['ada', 'old'].map((name, at) => ({ ContactId: at + 1, ...makePerson(name) }));
		fake.respondWith(({ method, url }): Reply => {
			methods.push(method);
			if (url.endsWith('/contactform')) return { body: { Email: 'Email', Last: 'LastName' } };
			if (url.includes('/contacts?')) return { body: contacts };
			if (url.endsWith('/contacts/2')) return reply(method);
			return { body: { ContactListId: 7, ContactCount: 2, LastUpdated: 'monday' } };
		});
		const { outputItems, error } = await fake.operate(
			'contact',
			'sync',
			{ ...applyToFake, missing: 'remove' },
			[makePerson('ada')],
		);
		const deletionCount = methods.filter((method) => method === 'DELETE').length;
		return { result: outputItems[1], error, deletionCount };
	};

	it('counts as removed, without a request to remove it', async () => {
		const { result, error, deletionCount } = await syncWith(() => ({
			status,
			body: { Message: 'There is no such contact.' },
		}));
		expect(error).toBeUndefined();
		expect(result).toMatchObject({ change: 'removed', applied: true });
		expect(deletionCount).toBe(0);
	});

	it('counts as removed if it disappears before it is removed', async () => {
		const { result, error, deletionCount } = await syncWith((method) =>
			method === 'DELETE'
				? { status, body: { Message: 'There is no such contact.' } }
				: { body: { ContactId: 2, ...makePerson('old') } },
		);
		expect(error).toBeUndefined();
		expect(result).toMatchObject({ change: 'removed', applied: true });
		expect(deletionCount).toBe(1);
	});

	it('does not count as removed if a web page says so', async () => {
		const { result, error, deletionCount } = await syncWith(() => ({ status, html: '<p>Gone' }));
		expect(error?.message).toMatch(/^Sync stopped after 0 changed, 0 added and 0 removed/);
		expect(result).toBeUndefined();
		expect(deletionCount).toBe(0);
	});

	it('does not stop a run that continues, until many in a row are gone', () => {
		const writeResults = new WriteResults(true);
		const stopsAt = Array.from({ length: MAX_CONSECUTIVE_FAILURES }, () => {
			const update: PlannedRow = {
				row: { index: 0, key: 'a', values: [] },
				contact: { id: 1 },
				change: 'unchanged',
			};
			writeResults.recordDefiniteFailure(update, new ServiceFailure('Gone', { status }));
			return writeResults.isStopped;
		});
		expect(stopsAt.indexOf(true)).toBe(MAX_CONSECUTIVE_FAILURES - 1);
	});
});
