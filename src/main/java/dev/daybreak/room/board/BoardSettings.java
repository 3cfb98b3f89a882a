package dev.daybreak.room.board;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The day's board.
 *
 * @param names how much of the name of who has a room everybody may see
 */
@ConfigurationProperties("daybreak.rooms")
record BoardSettings(@DefaultValue("hidden") Names names) {}
