import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../../engine/errors';
import { idOf, oneRecord } from '../../../engine/http/records';
import { runEach } from '../../../engine/run/each';
import { shorten } from '../../../engine/values/convert';
import { customFields, textOf, toBody } from '../../form/form';
import { contactForm } from '../../form/forms';
import { isSameValue } from './equal';
import { CONTACT_PATH, contactPages, contactParams, fieldReader } from './list';
import type { SyncedList } from './list';
import type { Outcomes } from './outcomes';
import type { FieldChange, ListedContact, PlannedRow, SyncScope } from './types';

export type PlannedUpdate = Extract<PlannedRow, { change: 'updated' }>;

/**
 * Writes the fields of contacts that differ. The first update is written alone and read back: a service whose PATCH replaces a
 * contact would otherwise empty the fields that are not sent, in every contact.
 */
export class Updates {
	constructor(
		private readonly list: SyncedList,
		private readonly scope: SyncScope,
		private readonly outcomes: Outcomes,
	) {}

	async write(updates: readonly PlannedUpdate[], concurrency: number): Promise<void> {
		const rest = [...updates];
		let isVerified = false;
		while (!isVerified && rest.length > 0 && !this.outcomes.isStopped) {
			isVerified = await this.writeFirst(rest.shift()!);
		}
		await runEach(
			rest,
			async (update) => {
				if (!this.outcomes.isStopped) await this.writeOne(update);
				return [];
			},
			{ concurrency, lockKeyOf: () => undefined, stopsAfter: () => false },
		);
	}

	/** Returns whether the update was written and the contact read back. If it was not, the next one is the first. */
	private async writeFirst(update: PlannedUpdate): Promise<boolean> {
		try {
			const before = await this.read(update.contact);
			if (!(await this.writeOne(update))) return false;
			const after = await this.read(update.contact);
			const damaged = otherChanges(before, after, update.changes);
			if (damaged.length > 0) this.outcomes.stop(update, damageFailure(update, damaged));
			this.noteSpelling(update, after);
			return true;
		} catch (error) {
			// Reading back failed after the write: without it, no other contact may be written.
			if (this.outcomes.of(update)?.kind === 'done') {
				this.outcomes.stop(update, unverifiedFailure(update, error));
			} else {
				this.outcomes.failUnsent(update, error);
			}
			return false;
		}
	}

	/** Returns whether the service carried it out. */
	private async writeOne(update: PlannedUpdate): Promise<boolean> {
		const values = new Map(update.changes.map(({ field, to }) => [field, to]));
		try {
			const response = await this.list.call.send({
				method: 'PATCH',
				path: CONTACT_PATH,
				params: contactParams(this.list, update.contact),
				json: toBody(values, contactForm.properties, true),
				effect: 'the contact was changed',
			});
			this.outcomes.succeed(update);
			const { record } = oneRecord(response.body, CONTACT_PATH);
			if (record && idOf(record, contactPages) !== undefined) this.noteSpelling(update, record);
			return true;
		} catch (error) {
			this.outcomes.fail(update, error);
			return false;
		}
	}

	private async read(contact: ListedContact): Promise<IDataObject> {
		const { body } = await this.list.call.client.send({
			method: 'GET',
			path: CONTACT_PATH,
			params: contactParams(this.list, contact),
			idempotent: true,
			requiredContent: 'record',
		});
		return oneRecord(body, CONTACT_PATH).record ?? {};
	}

	/** Notes the fields that the service stored in another spelling: the next run would send them again. */
	private noteSpelling({ changes }: PlannedUpdate, record: IDataObject): void {
		const valueOf = fieldReader(record);
		for (const { field, to } of changes) {
			const { caption, kind } = this.scope.fields.find(({ name }) => name === field)!;
			if (!isSameValue(kind, to, textOf(valueOf(field)))) this.outcomes.respelled.add(caption);
		}
	}
}

/** Returns the fields that changed although they were not sent. Fields that no form has, such as times, may change. */
function otherChanges(
	before: IDataObject,
	after: IDataObject,
	sent: readonly FieldChange[],
): FieldChange[] {
	const [was, is] = [fieldReader(before), fieldReader(after)];
	const names = [
		...Object.keys(contactForm.properties),
		...(customFields(before.CustomFields)?.keys() ?? []),
	];
	return names
		.filter((name) => !sent.some(({ field }) => field === name))
		.map((field) => ({ field, from: textOf(was(field)), to: textOf(is(field)) }))
		.filter(({ from, to }) => from.trim() !== to.trim());
}

function unverifiedFailure({ contact }: PlannedUpdate, error: unknown): unknown {
	if (!(error instanceof ServiceFailure)) return error;
	const { message, status, code } = error;
	return new ServiceFailure(
		`Contact ${contact.id} was changed, but could not be read afterwards: ${message}`,
		{
			status,
			code,
			advice:
				"It's unclear whether this service keeps the fields that an update doesn't contain, so no other contact was written.",
		},
	);
}

function damageFailure({ contact }: PlannedUpdate, damaged: FieldChange[]): ServiceFailure {
	const names = damaged.map(({ field }) => `'${field}'`).join(', ');
	const values = damaged.map(({ field, from }) => `${field}: "${shorten(from)}"`).join(', ');
	return new ServiceFailure(
		`The service also changed fields of contact ${contact.id} that were not sent: ${names}`,
		{
			advice: `This service replaces fields that an update doesn't contain, so no other contact was written. The values before: ${values}. Map these fields, too, or use Update for single contacts.`,
		},
	);
}
