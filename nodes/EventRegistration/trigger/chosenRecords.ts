import type { ITriggerFunctions } from 'n8n-workflow';

import { BadInput } from '../../engine/errors';
import type { Client } from '../../engine/http/client';
import { NameResolver } from '../../engine/http/names';
import type { NamedList } from '../../engine/http/names';
import { isPublishing } from '../../engine/trigger/common/triggerSetup';
import { ResolvedNames } from '../../engine/trigger/lists/resolvedNames';
import { chosenId, chosenText, holdsName } from '../../engine/trigger/lists/settings';
import { idNumberReader } from '../../engine/values/convert';
import { NAMED_NUMBER_ID } from '../ids';
import { namedContactLists, namedEvents, readEventId, namedRegistrationTypes } from '../names';

interface Choice {
	field: 'eventId' | 'registrationTypeId' | 'contactListId';
	/** An ID or a name; '' if the field is empty. */
	chosen: string;
	isName: boolean;
}

/** Which records the trigger follows. */
interface NeededRecords {
	event: boolean;
	/** Requests have the event's ID as their body, so the ID must be a number. */
	numericEventId: boolean;
	/** The trigger follows registrations, which are filtered by their type. */
	type: boolean;
	contactList: boolean;
}

/**
 * The records that the trigger follows: an event with the registration type if any, and a contact list. The trigger looks names
 * up once, in the first round that finds them. It therefore still follows a record that is renamed later, also after a restart.
 */
export class ChosenRecords {
	readonly names = new ResolvedNames();
	private readonly isPublishing: boolean;
	private readonly event: Choice;
	private readonly type: Choice;
	private readonly contactList: Choice;
	private readonly ids = new Map<Choice, string>();

	/** Reads the parameters. Throws if a needed one is empty. */
	constructor(
		context: ITriggerFunctions,
		private readonly needs: NeededRecords,
	) {
		this.isPublishing = isPublishing(context);
		const choice = (field: Choice['field'], chosen: string): Choice => ({
			field,
			chosen,
			isName: holdsName(context, field),
		});
		this.event = choice('eventId', needs.event ? chosenId(context, 'eventId', 'Event') : '');
		this.type = choice(
			'registrationTypeId',
			needs.type ? chosenText(context, 'registrationTypeId') : '',
		);
		this.contactList = choice(
			'contactListId',
			needs.contactList ? chosenId(context, 'contactListId', 'Contact List') : '',
		);
		if (needs.event && needs.numericEventId && !this.event.isName)
			idNumberReader('Event', NAMED_NUMBER_ID.advice)(this.event.chosen);
	}

	/** Returns the ID of the event; undefined if none is followed. Throws if its name is not found, or found more than once. */
	async findEvent(client: Client): Promise<string | undefined> {
		return this.needs.event ? await this.findId(client, namedEvents, this.event) : undefined;
	}

	/** Returns the ID of the event's registration type; '' if the user chose none. Throws like `findEvent`. */
	async findType(client: Client, eventId: string): Promise<string> {
		return await this.findId(client, namedRegistrationTypes, this.type, eventId);
	}

	/** Returns the ID of the contact list; undefined if none is followed. Throws like `findEvent`. */
	async findContactList(client: Client): Promise<string | undefined> {
		return this.needs.contactList
			? await this.findId(client, namedContactLists, this.contactList)
			: undefined;
	}

	private async findId(
		client: Client,
		list: NamedList,
		choice: Choice,
		eventId?: string,
	): Promise<string> {
		if (choice.chosen === '' || !choice.isName) return choice.chosen;
		const id = this.ids.get(choice) ?? (await this.find(client, list, choice, eventId));
		this.ids.set(choice, id);
		return id;
	}

	/**
	 * Returns the ID of a name. A restart uses the saved ID. If the user publishes the workflow, the name stands for the
	 * record that has it now. The saved ID is used only if no record or several records have the name.
	 */
	private async find(
		client: Client,
		list: NamedList,
		{ field, chosen: chosenName }: Choice,
		eventId?: string,
	): Promise<string> {
		const savedId = this.names.get(field, chosenName, eventId);
		if (savedId !== undefined && !this.isPublishing) return savedId;
		const owner = eventId === undefined ? undefined : readEventId(eventId);
		// A resolver keeps the failure to read a list, so each try has its own resolver.
		const finding = new NameResolver().find(client, list, chosenName, owner);
		const id = await finding.catch((error: unknown) => {
			if (savedId !== undefined && error instanceof BadInput) return savedId;
			throw error;
		});
		this.names.set(field, chosenName, id, eventId);
		return id;
	}
}
