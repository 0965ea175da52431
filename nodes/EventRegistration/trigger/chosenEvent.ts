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
import { namedEvents, readEventId, namedRegistrationTypes } from '../names';

interface Choice {
	field: 'eventId' | 'registrationTypeId';
	chosen: string;
	isName: boolean;
}

/**
 * The event, and the registration type if any, that the trigger follows. The trigger looks names up once, in the first round
 * that finds them. It therefore still follows a record that is renamed later, also after a restart.
 */
export class ChosenEvent {
	readonly names = new ResolvedNames();
	private readonly isPublishing: boolean;
	private readonly event: Choice;
	private readonly type: Choice;
	private eventId: string | undefined;
	private typeId: string | undefined;

	/**
	 * Reads the parameters. `needsNumericId`: requests have the event's ID as their body, so the ID must be a number.
	 * `needsType`: the trigger follows registrations, which are filtered by the type.
	 */
	constructor(
		context: ITriggerFunctions,
		{ needsNumericId, needsType }: { needsNumericId: boolean; needsType: boolean },
	) {
		this.isPublishing = isPublishing(context);
		this.event = {
			field: 'eventId',
			chosen: chosenId(context, 'eventId', 'Event'),
			isName: holdsName(context, 'eventId'),
		};
		this.type = {
			field: 'registrationTypeId',
			chosen: needsType ? chosenText(context, 'registrationTypeId') : '',
			isName: holdsName(context, 'registrationTypeId'),
		};
		if (needsNumericId && !this.event.isName) {
			idNumberReader('Event', NAMED_NUMBER_ID.advice)(this.event.chosen);
		}
	}

	/** Returns the ID of the event. Throws if its name is not found, or found more than once. */
	async findEvent(client: Client): Promise<string> {
		const { chosen: idOrName, isName } = this.event;
		return (this.eventId ??= isName ? await this.find(client, namedEvents, this.event) : idOrName);
	}

	/** Returns the ID of the registration type; '' if the user chose none. Throws like `findEvent`. */
	async findType(client: Client): Promise<string> {
		const { chosen: idOrName, isName } = this.type;
		if (idOrName === '' || !isName) return idOrName;
		const eventId = await this.findEvent(client);
		return (this.typeId ??= await this.find(client, namedRegistrationTypes, this.type, eventId));
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
