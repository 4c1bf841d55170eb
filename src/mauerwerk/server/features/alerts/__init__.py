"""What the hosts should see to: old backups, a full disk, lost notifications, a new release."""
