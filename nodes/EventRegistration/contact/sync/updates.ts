import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../../engine/errors';
import { idOf, oneRecord } from '../../../engine/http/records';
import { runEach } from '../../../engine/run/each';
import { shorten } from '../../../engine/values/convert';
import { contactForm } from '../../form/formDefinitions';
import { serializeFormValues } from '../../form/mappedValues';
import { customFields, textOf } from '../../form/readForm';
import { lists } from '../../lists';
import { isSameValue } from './isSameValue';
import { contactIn, contactParams, fieldReader } from './list';
import type { SyncedList } from './list';
import { possibleProofs, provenBy } from './proofs';
import type { Proof } from './proofs';
import type { FieldChange, ListedContact, PlannedRow, SyncScope } from './types';
import type { WriteResults } from './writeResults';

export type PlannedUpdate = Extract<PlannedRow, { change: 'updated' }>;

/**
 * Writes the fields of contacts that differ. The first update is written alone and read back, and so is every update that
 * may prove more than those before it. Otherwise a service whose PATCH replaces fields would empty the fields that are not
 * sent, in every contact. If an update can prove nothing more, its contact has nothing to lose either.
 */
export class Updates {
	private hasReadBack = false;
	private readonly proven = new Set<Proof>();

	constructor(
		private readonly list: SyncedList,
		private readonly scope: SyncScope,
		private readonly writeResults: WriteResults,
	) {}

	async write(updates: readonly PlannedUpdate[], concurrency: number): Promise<void> {
		const rest: PlannedUpdate[] = [];
		const mostFirst = updates
			.map((update) => ({ update, proofs: possibleProofs(update.contact, update.changes) }))
			.sort((a, b) => b.proofs.length - a.proofs.length);
		for (const { update, proofs } of mostFirst) {
			const isAlone = !this.hasReadBack || proofs.some((proof) => !this.proven.has(proof));
			if (isAlone && !this.writeResults.isStopped) await this.writeAlone(update);
			else rest.push(update);
		}
		await runEach(
			rest,
			async (update) => {
				if (!this.writeResults.isStopped) await this.writeOne(update);
				return [];
			},
			{ concurrency },
		);
	}

	/**
	 * Writes an update and reads the contact back. If the service did not carry out the update, the next one is written
	 * alone, too.
	 */
	private async writeAlone(update: PlannedUpdate): Promise<void> {
		let before: IDataObject;
		try {
			before = await this.read(update.contact);
		} catch (error) {
			return this.writeResults.recordDefiniteFailure(update, error);
		}
		await this.writeOne(update);
		const isDone = this.writeResults.of(update)?.kind === 'done';
		// Without a response, the service may have carried the update out, and may have emptied other fields.
		if (!isDone && this.writeResults.of(update)?.kind !== 'uncertain') return;
		let after: IDataObject;
		try {
			after = await this.read(update.contact);
		} catch (error) {
			if (isDone) this.writeResults.stop(update, unverifiedFailure(update, error));
			return;
		}
		const damagedFields = otherChanges(before, after, update.changes);
		if (damagedFields.length > 0)
			this.writeResults.stop(update, damageFailure(update, damagedFields));
		if (!isDone) return;
		this.noteSpelling(update, fieldReader(after));
		this.hasReadBack = true;
		for (const proof of provenBy(before, update.changes)) this.proven.add(proof);
	}

	private async writeOne(update: PlannedUpdate): Promise<void> {
		const values = new Map(update.changes.map(({ field, to }) => [field, to]));
		try {
			const response = await this.list.call.send({
				method: 'PATCH',
				path: lists.contacts.recordPath,
				params: contactParams(this.list, update.contact),
				json: serializeFormValues(values, contactForm.properties, true),
				effect: 'the contact was changed',
				identify: lists.contacts.paging.identify,
			});
			this.writeResults.succeed(update);
			const { record } = oneRecord(response.body, lists.contacts.recordPath);
			if (record && idOf(record, lists.contacts.paging) !== undefined) {
				// The response may have only some of the fields. The missing fields show nothing about their spelling.
				const valueOf = fieldReader(record);
				this.noteSpelling(update, (field) => valueOf(field) ?? values.get(field));
			}
		} catch (error) {
			this.writeResults.recordFailureOfSentWrite(update, error);
		}
	}

	private async read(contact: ListedContact): Promise<IDataObject> {
		const { body } = await this.list.call.client.send({
			method: 'GET',
			path: lists.contacts.recordPath,
			params: contactParams(this.list, contact),
			idempotent: true,
			requiredContent: 'record',
			identify: lists.contacts.paging.identify,
		});
		return contactIn(body, contact);
	}

	/** Notes the fields that the service stored in another spelling: the next run would send them again. */
	private noteSpelling({ changes }: PlannedUpdate, valueOf: (field: string) => unknown): void {
		for (const { field: fieldName, to } of changes) {
			const field = this.scope.fields.find(({ name }) => name === fieldName)!;
			if (!isSameValue(field, to, textOf(valueOf(fieldName))))
				this.writeResults.respelled.add(field.caption);
		}
	}
}

/** Returns the fields that changed although they were not sent. Fields that no form has, such as times, may change. */
function otherChanges(
	before: IDataObject,
	after: IDataObject,
	sentChanges: readonly FieldChange[],
): FieldChange[] {
	const [valueBefore, valueAfter] = [fieldReader(before), fieldReader(after)];
	const names = [
		...Object.keys(contactForm.properties),
		...(customFields(before.CustomFields)?.keys() ?? []),
	];
	return names
		.filter((name) => !sentChanges.some(({ field }) => field === name))
		.map((field) => ({ field, from: textOf(valueBefore(field)), to: textOf(valueAfter(field)) }))
		.filter(({ from, to }) => from.trim() !== to.trim());
}

function unverifiedFailure({ contact }: PlannedUpdate, error: unknown): unknown {
	if (!(error instanceof ServiceFailure)) return error;
	return error.with({
		message: `Contact ${contact.id} was changed, but could not be read afterwards: ${error.message}`,
		uncertain: false,
		advice:
			"It's unclear whether this service keeps the fields that an update doesn't contain, so no other contact was written.",
	});
}

function damageFailure({ contact }: PlannedUpdate, damagedFields: FieldChange[]): ServiceFailure {
	const names = damagedFields.map(({ field }) => `'${field}'`).join(', ');
	const values = damagedFields.map(({ field, from }) => `${field}: "${shorten(from)}"`).join(', ');
	return new ServiceFailure(
		`The service also changed fields of contact ${contact.id} that were not sent: ${names}`,
		{
			advice: `This service replaces fields that an update doesn't contain, so no other contact was written. The values before: ${values}. Map these fields, too, or use Update for single contacts.`,
		},
	);
}
